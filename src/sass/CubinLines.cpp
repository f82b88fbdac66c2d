// SPDX-License-Identifier: Apache-2.0
#include "sass/CubinLines.h"

#include <llvm/Support/Endian.h>

namespace heddle::sass {
namespace {

constexpr bool isMips = false; ///< which has relocations of its own kind

const CubinFile::Elf_Shdr* findSection(const CubinFile& file, CubinFile::Elf_Shdr_Range sections,
                                       llvm::StringRef wanted) {
  for (const CubinFile::Elf_Shdr& each : sections) {
    auto name = file.getSectionName(each);
    if (name && *name == wanted)
      return &each;
    if (!name)
      llvm::consumeError(name.takeError());
  }
  return nullptr;
}

/// What the addresses of the line table mean, by their offsets.
class Places {
public:
  Places(const CubinFile& file, CubinFile::Elf_Shdr_Range sections)
      : file_(file), sections_(sections) {}

  /// Before sm_90 what is to be added to a symbol stands in the table.
  llvm::Error read(llvm::ArrayRef<std::uint8_t> table) {
    if (const auto* symbols = findSection(file_, sections_, ".symtab")) {
      auto found = file_.symbols(symbols);
      if (!found)
        return found.takeError();
      symbols_ = *found;
    }
    if (const auto* relocations = findSection(file_, sections_, ".rela.nv_debug_line_sass")) {
      auto found = file_.relas(*relocations);
      if (!found)
        return found.takeError();
      for (const CubinFile::Elf_Rela& each : *found)
        add(each.r_offset, each.getSymbol(isMips), std::uint64_t(each.r_addend));
    }
    if (const auto* relocations = findSection(file_, sections_, ".rel.nv_debug_line_sass")) {
      auto found = file_.rels(*relocations);
      if (!found)
        return found.takeError();
      for (const CubinFile::Elf_Rel& each : *found)
        if (table.size() >= sizeof(std::uint64_t) &&
            each.r_offset <= table.size() - sizeof(std::uint64_t))
          add(each.r_offset, each.getSymbol(isMips),
              llvm::support::endian::read64le(table.data() + each.r_offset));
    }
    return llvm::Error::success();
  }

  Place at(std::uint64_t offset) const {
    const auto place = places_.find(offset);
    return place == places_.end() ? Place{} : place->second;
  }

private:
  void add(std::uint64_t offset, std::uint32_t symbol, std::uint64_t addend) {
    if (symbol < symbols_.size())
      places_[offset] = {symbols_[symbol].st_shndx, symbols_[symbol].st_value + addend};
  }

  const CubinFile& file_;
  CubinFile::Elf_Shdr_Range sections_;
  CubinFile::Elf_Sym_Range symbols_;
  std::map<std::uint64_t, Place> places_;
};

} // namespace

llvm::Expected<std::map<Place, std::uint32_t>> readCubinLines(const CubinFile& file) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  const CubinFile::Elf_Shdr* lines = findSection(file, *sections, ".nv_debug_line_sass");
  if (lines == nullptr)
    return std::map<Place, std::uint32_t>{};
  auto bytes = file.getSectionContents(*lines);
  if (!bytes)
    return bytes.takeError();
  Places places(file, *sections);
  if (llvm::Error error = places.read(*bytes))
    return error;
  return readLineTable({reinterpret_cast<const char*>(bytes->data()), bytes->size()},
                       [&](std::uint64_t offset) { return places.at(offset); });
}

} // namespace heddle::sass
