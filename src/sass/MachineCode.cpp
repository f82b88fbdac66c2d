// SPDX-License-Identifier: Apache-2.0
#include "sass/MachineCode.h"

#include "sass/CubinLines.h"

#include <llvm/Support/Endian.h>

#include <algorithm>
#include <array>
#include <map>

namespace heddle::sass {
namespace {

using File = CubinFile;

constexpr int instructionBytes = 16;
constexpr int firstWithLongTargets = 90;
constexpr std::string_view codePrefix = ".text.", helperPrefix = "$__internal_";

/// The low bits of the first word.
enum Code : std::uint64_t {
  CodeBits = 0x1ff,
  Fmul = 0x020,
  Nop = 0x118,
  Bar = 0x11d,
  Bsync = 0x141,
  Call = 0x144,
  Bssy = 0x145,
  Bra = 0x147,
  Brx = 0x149,
  Exit = 0x14d,
  Ret = 0x150,
};

/// LD, LDG, LDL, LDS, ST, STG, STL, STS, ATOMS, ATOMG, RED
constexpr std::array<std::uint64_t, 15> memoryCodes = {0x180, 0x181, 0x183, 0x184, 0x185,
                                                       0x186, 0x187, 0x188, 0x18c, 0x18d,
                                                       0x18e, 0x1a6, 0x1a8, 0x1a9, Bar};

/// Of three bits that name a predicate and one that negates it: always true.
constexpr std::uint64_t always = 7;

struct Words {
  std::uint64_t low = 0, high = 0;

  std::uint64_t code() const { return low & CodeBits; }
  bool isGuarded() const { return (low >> 12 & 15) != always; }
  /// BRA and EXIT have a second predicate; another form of BRA asks one of the whole warp.
  bool isConditional() const {
    return isGuarded() || ((code() == Bra || code() == Exit) &&
                           ((high >> 23 & 15) != always || (low & 0xfff) != (0x800 | code())));
  }
  /// A field of FMUL is 4 where it multiplies and nothing else.
  bool scales() const { return code() == Fmul && (high >> 20 & 7) != 4; }
  /// From the instruction behind this one, in bytes; the code has words of 4. Above its distance
  /// BSSY has flags.
  std::int64_t distance(int architecture) const {
    const std::uint64_t shortOne = low >> 34;
    const std::uint64_t longOne = (high & 0x3ffff) << 30 | shortOne;
    if (code() == Bssy)
      return 4 * signedOf(shortOne, 30);
    if (architecture < firstWithLongTargets)
      return 4 * signedOf(longOne, 48);
    return 4 * signedOf(longOne << 8 | (low >> 16 & 255), 56);
  }

  /// The bits above the operands, which are the same for all instructions.
  ptx::PlannedInstruction plan(std::uint32_t line) const {
    const auto scoreboard = [&](int at) {
      const auto number = std::int8_t(high >> at & 7);
      return number < ptx::scoreboards ? number : std::int8_t{-1};
    };
    return {.line = line,
            .code = std::uint16_t(code()),
            .stall = std::uint8_t(high >> 41 & 15),
            .waits = std::uint8_t(high >> 52 & 63),
            .sets = scoreboard(46),
            .reads = scoreboard(49)};
  }

private:
  static std::int64_t signedOf(std::uint64_t value, int bits) {
    return std::int64_t(value << (64 - bits)) >> (64 - bits);
  }
};

Kind kindOf(std::uint64_t code) {
  switch (code) {
  case Nop:
    return Kind::Nothing;
  case Bsync:
    return Kind::Wait;
  case Bssy:
    return Kind::Open;
  case Call:
    return Kind::Call;
  case Bra:
    return Kind::Branch;
  case Brx:
    return Kind::Table;
  case Exit:
    return Kind::Exit;
  case Ret:
    return Kind::Return;
  default:
    return std::ranges::find(memoryCodes, code) != memoryCodes.end() ? Kind::Memory : Kind::Plain;
  }
}

bool isEnd(Kind kind) {
  return kind == Kind::Branch || kind == Kind::Table || kind == Kind::Exit ||
         kind == Kind::Return || kind == Kind::Call;
}

class Reader {
public:
  Reader(const File& file, int architecture) : file_(file), architecture_(architecture) {}

  llvm::Expected<std::vector<Routine>> read() {
    auto sections = file_.sections();
    if (!sections)
      return sections.takeError();
    sections_ = *sections;
    if (llvm::Error error = readSymbols())
      return error;
    auto lines = readCubinLines(file_);
    if (!lines)
      return lines.takeError();
    lines_ = std::move(*lines);
    std::vector<Routine> routines;
    for (std::uint32_t i = 0; i < sections_.size(); ++i) {
      auto name = file_.getSectionName(sections_[i]);
      if (!name)
        return name.takeError();
      if (!name->starts_with(codePrefix))
        continue;
      auto bytes = file_.getSectionContents(sections_[i]);
      if (!bytes)
        return bytes.takeError();
      routines.push_back(routine(i, name->drop_front(codePrefix.size()).str(), *bytes));
    }
    return routines;
  }

private:
  const File::Elf_Shdr* section(llvm::StringRef wanted) const {
    for (const File::Elf_Shdr& each : sections_) {
      auto name = file_.getSectionName(each);
      if (name && *name == wanted)
        return &each;
      if (!name)
        llvm::consumeError(name.takeError());
    }
    return nullptr;
  }

  llvm::Error readSymbols() {
    const File::Elf_Shdr* table = section(".symtab");
    if (table == nullptr)
      return llvm::Error::success();
    auto symbols = file_.symbols(table);
    auto names = file_.getStringTableForSymtab(*table);
    if (!symbols || !names)
      return llvm::joinErrors(symbols.takeError(), names.takeError());
    for (const File::Elf_Sym& symbol : *symbols) {
      auto name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      if (symbol.getType() == llvm::ELF::STT_FUNC)
        functions_[{symbol.st_shndx, symbol.st_value}] = name->contains(helperPrefix);
    }
    return llvm::Error::success();
  }

  Routine routine(std::uint32_t number, std::string name,
                  llvm::ArrayRef<std::uint8_t> bytes) const {
    Routine result{std::move(name), {}, {}, {}};
    const auto count = std::uint32_t(bytes.size() / instructionBytes);
    std::uint32_t line = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint8_t* at = bytes.data() + std::size_t(i) * instructionBytes;
      const Words words{llvm::support::endian::read64le(at),
                        llvm::support::endian::read64le(at + 8)};
      if (const auto known = lines_.find({number, std::uint64_t(i) * instructionBytes});
          known != lines_.end())
        line = known->second;
      Instruction made{line, kindOf(words.code()), words.isConditional(),
                       {},   words.plan(line),     words.scales()};
      made.plan.endsBlock = isEnd(made.kind);
      if (made.kind == Kind::Branch || made.kind == Kind::Open) {
        const std::int64_t distance = words.distance(architecture_);
        const std::int64_t target = std::int64_t(i) + 1 + distance / instructionBytes;
        if (distance % instructionBytes == 0 && target >= 0 && target < std::int64_t(count))
          made.target = std::uint32_t(target);
      }
      result.code.push_back(made);
    }
    for (auto each = functions_.lower_bound({number, 0});
         each != functions_.end() && each->first.section == number; ++each)
      if (const std::uint64_t entry = each->first.address / instructionBytes; entry < count) {
        result.entries.push_back(std::uint32_t(entry));
        if (each->second)
          result.helpers.push_back(result.entries.back());
      }
    return result;
  }

  const File& file_;
  int architecture_;
  File::Elf_Shdr_Range sections_;
  std::map<Place, bool> functions_; ///< whether it is a helper
  std::map<Place, std::uint32_t> lines_;
};

} // namespace

Expected<std::vector<Routine>> readMachineCode(std::string_view cubin, int architecture) {
  const auto refuse = [](llvm::Error error) {
    return fail(ErrorKind::BadInput, "what ptxas wrote cannot be read: {}",
                llvm::toString(std::move(error)));
  };
  auto file = File::create(llvm::StringRef(cubin));
  if (!file)
    return refuse(file.takeError());
  if (file->getHeader().e_machine != llvm::ELF::EM_CUDA)
    return fail(ErrorKind::BadInput, "what ptxas wrote cannot be read: it is for another machine");
  auto routines = Reader(*file, architecture).read();
  if (!routines)
    return refuse(routines.takeError());
  return std::move(*routines);
}

} // namespace heddle::sass
