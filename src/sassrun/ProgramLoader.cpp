// SPDX-License-Identifier: Apache-2.0
#include "sassrun/ProgramLoader.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Support/Endian.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace heddle::sassrun {
namespace {

using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;
using llvm::support::endian::write32le;

constexpr std::string_view codePrefix = ".text.";
constexpr unsigned addressBank = 4, jumpBank = 2;
constexpr std::uint32_t systemShared = 0x400; ///< what the system keeps in front of shared memory
constexpr unsigned char entryFlag = 0x10;     ///< of a symbol: it is a kernel

/// R_CUDA_..., those that ptxas has been seen to write.
enum RelocationType : std::uint32_t {
  Whole32 = 1,    ///< a word
  Whole64 = 2,    ///< two words
  LowHalf = 0x38, ///< the constant of 32 bits in an instruction
  HighHalf = 0x39,
};

constexpr std::size_t constantAt = 4; ///< of an instruction: the byte where it is

bool fits(const std::vector<std::uint8_t>& bytes, std::uint64_t offset, std::size_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

/// Reads .nv.info: pieces with a form, a kind, and a value or how long they are.
template <class Visit> void forEachAttribute(const std::vector<std::byte>& info, Visit visit) {
  constexpr unsigned sized = 4;
  constexpr std::size_t head = 4;
  std::size_t at = 0;
  while (at + head <= info.size()) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(info.data()) + at;
    const std::size_t size = bytes[0] == sized ? read16le(bytes + 2) : 0;
    if (size > info.size() - at - head)
      return;
    visit(unsigned(bytes[1]), bytes + head, size);
    at += head + size;
  }
}

} // namespace

bool ProgramLoader::Section::isCode() const {
  return name.starts_with(codePrefix);
}

llvm::Error ProgramLoader::load() {
  if (llvm::Error error = readSections())
    return error;
  if (llvm::Error error = readSymbols())
    return error;
  if (llvm::Error error = readRelocations())
    return error;
  auto lines = sass::readCubinLines(file_);
  if (!lines)
    return lines.takeError();
  lines_ = std::move(*lines);
  placeCode();
  registerFunctions();
  for (const auto& [section, relocations] : relocations_)
    for (const Relocation& each : relocations)
      applyTo(section, each);
  placeBanks();
  placeVariables();
  decodeCode();
  makeKernels();
  return llvm::Error::success();
}

llvm::Error ProgramLoader::readSections() {
  auto sections = file_.sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr& each : *sections) {
    auto name = file_.getSectionName(each);
    if (!name)
      return name.takeError();
    Section made;
    made.name = name->str();
    made.size = each.sh_size;
    if (each.sh_type != llvm::ELF::SHT_NOBITS) {
      auto bytes = file_.getSectionContents(each);
      if (!bytes)
        return bytes.takeError();
      made.bytes.assign(bytes->begin(), bytes->end());
    }
    sections_.push_back(std::move(made));
  }
  return llvm::Error::success();
}

llvm::Error ProgramLoader::readSymbols() {
  auto sections = file_.sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr& each : *sections) {
    if (each.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto symbols = file_.symbols(&each);
    if (!symbols)
      return symbols.takeError();
    auto names = file_.getStringTableForSymtab(each);
    if (!names)
      return names.takeError();
    for (const File::Elf_Sym& symbol : *symbols) {
      auto name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      symbols_.push_back(
          {.name = name->str(),
           .section = symbol.st_shndx,
           .value = symbol.st_value,
           .size = symbol.st_size,
           .type = symbol.getType(),
           .isKernel = symbol.getType() == llvm::ELF::STT_FUNC && (symbol.st_other & entryFlag)});
    }
  }
  return llvm::Error::success();
}

llvm::Error ProgramLoader::readRelocations() {
  constexpr bool isMips = false;
  auto sections = file_.sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr& each : *sections) {
    if (each.sh_type == llvm::ELF::SHT_RELA) {
      auto found = file_.relas(each);
      if (!found)
        return found.takeError();
      for (const File::Elf_Rela& one : *found)
        relocations_[each.sh_info].push_back({one.r_offset, one.getType(isMips),
                                              one.getSymbol(isMips), std::uint64_t(one.r_addend)});
    } else if (each.sh_type == llvm::ELF::SHT_REL) {
      auto found = file_.rels(each);
      if (!found)
        return found.takeError();
      for (const File::Elf_Rel& one : *found)
        relocations_[each.sh_info].push_back(
            {one.r_offset, one.getType(isMips), one.getSymbol(isMips), std::nullopt});
    }
  }
  return llvm::Error::success();
}

void ProgramLoader::placeCode() {
  std::uint64_t address = Program::firstAddress;
  for (Section& each : sections_)
    if (each.isCode()) {
      each.address = address;
      address += each.bytes.size() / instructionBytes * instructionBytes;
    }
}

/// Functions that memory has handles for.
void ProgramLoader::registerFunctions() {
  for (const Symbol& each : symbols_) {
    if (each.type != llvm::ELF::STT_FUNC || each.section >= sections_.size() ||
        !sections_[each.section].isCode())
      continue;
    if (const auto handle = variables_(each.name))
      program_.functions_[*handle] = sections_[each.section].address + each.value;
  }
}

/// Below the code, where nothing can be run.
std::uint64_t ProgramLoader::missingFunction(const std::string& name) {
  auto& names = program_.missing_;
  const auto found = std::ranges::find(names, name);
  const auto index = std::size_t(found - names.begin());
  if (found == names.end())
    names.push_back(name);
  return (index + 1) * instructionBytes;
}

std::optional<std::uint64_t> ProgramLoader::addressOf(const Symbol& symbol) {
  const bool isFunction = symbol.type == llvm::ELF::STT_FUNC;
  const bool isDefined = symbol.section != 0 && symbol.section < sections_.size();
  if (isDefined && sections_[symbol.section].isCode())
    return sections_[symbol.section].address + symbol.value;
  if (!symbol.name.empty())
    if (const auto known = variables_(symbol.name))
      return known;
  return isFunction && !isDefined ? std::optional(missingFunction(symbol.name)) : std::nullopt;
}

/// A pointer to a function is its handle, where memory has one.
std::optional<std::uint64_t> ProgramLoader::pointerTo(const Symbol& symbol) {
  if (symbol.section < sections_.size() && sections_[symbol.section].isCode())
    pointedTo_.push_back(symbol.section);
  if (symbol.type == llvm::ELF::STT_FUNC)
    if (const auto handle = variables_(symbol.name))
      return handle;
  return addressOf(symbol);
}

void ProgramLoader::applyTo(std::uint32_t number, const Relocation& relocation) {
  if (number >= sections_.size())
    return;
  Section& section = sections_[number];
  if (section.isCode())
    applyToCode(section, relocation);
  else if (section.name == fmt::format(".nv.constant{}", addressBank))
    applyToBank(section, relocation);
  else if (section.name.starts_with(fmt::format(".nv.constant{}.", jumpBank)))
    section.broken = "a table of jumps has a relocation";
}

void ProgramLoader::applyToCode(Section& section, const Relocation& relocation) {
  const bool isKnown = relocation.symbol < symbols_.size() && relocation.addend &&
                       fits(section.bytes, relocation.offset, instructionBytes) &&
                       (relocation.type == LowHalf || relocation.type == HighHalf);
  const auto address = isKnown ? addressOf(symbols_[relocation.symbol]) : std::nullopt;
  if (!address) {
    section.broken = fmt::format(
        "relocation {} at {:#x} of {} is not understood", relocation.type, relocation.offset,
        relocation.symbol < symbols_.size() ? symbols_[relocation.symbol].name : "nothing");
    return;
  }
  const Symbol& symbol = symbols_[relocation.symbol];
  if (symbol.section < sections_.size() && sections_[symbol.section].isCode())
    section.reached.push_back(symbol.section);
  const std::uint64_t value = *address + *relocation.addend;
  write32le(section.bytes.data() + relocation.offset + constantAt,
            std::uint32_t(relocation.type == LowHalf ? value : value >> 32));
}

void ProgramLoader::applyToBank(Section& section, const Relocation& relocation) {
  const std::size_t size =
      relocation.type == Whole64 ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  const bool isKnown = relocation.symbol < symbols_.size() &&
                       fits(section.bytes, relocation.offset, size) &&
                       (relocation.type == Whole64 || relocation.type == Whole32);
  const auto address = isKnown ? pointerTo(symbols_[relocation.symbol]) : std::nullopt;
  if (!address) {
    broken_[addressBank].push_back(
        {relocation.offset, relocation.offset + size,
         fmt::format("'{}' has no address",
                     relocation.symbol < symbols_.size() ? symbols_[relocation.symbol].name : "")});
    return;
  }
  std::byte* at = reinterpret_cast<std::byte*>(section.bytes.data()) + relocation.offset;
  std::uint64_t value = 0;
  std::memcpy(&value, at, size);
  value = *address + relocation.addend.value_or(value);
  std::memcpy(at, &value, size);
}

void ProgramLoader::placeBanks() {
  for (const unsigned bank : {Program::variableBank, addressBank})
    if (const Section* found = section(fmt::format(".nv.constant{}", bank)))
      program_.banks_[bank] = contents(found->name);
}

/// __constant__ variables keep their values in memory.
void ProgramLoader::placeVariables() {
  const std::string name = fmt::format(".nv.constant{}", Program::variableBank);
  for (const Symbol& each : symbols_) {
    if (each.type != llvm::ELF::STT_OBJECT || each.section >= sections_.size() ||
        sections_[each.section].name != name)
      continue;
    if (const auto address = variables_(each.name))
      program_.placed_[each.value] = {.size = each.size, .address = *address};
    else
      broken_[Program::variableBank].push_back(
          {each.value, each.value + each.size, fmt::format("'{}' has no address", each.name)});
  }
}

void ProgramLoader::decodeCode() {
  for (std::uint32_t number = 0; number < sections_.size(); ++number) {
    const Section& section = sections_[number];
    if (!section.isCode())
      continue;
    std::uint32_t line = 0;
    for (std::uint64_t at = 0; at + instructionBytes <= section.bytes.size();
         at += instructionBytes) {
      const std::uint8_t* bytes = section.bytes.data() + at;
      if (const auto known = lines_.find({number, at}); known != lines_.end())
        line = known->second;
      Instruction made = decode({read64le(bytes), read64le(bytes + sizeof(std::uint64_t))});
      made.handler = isControl(made.code) ? nullptr : handlerFor(made.code);
      made.address = section.address + at;
      made.line = line;
      program_.code_.push_back(made);
    }
  }
}

void ProgramLoader::makeKernels() {
  for (const Symbol& each : symbols_) {
    if (!each.isKernel || each.section >= sections_.size() || !sections_[each.section].isCode())
      continue;
    Kernel made;
    made.name = each.name;
    made.entry = sections_[each.section].address + each.value;
    made.bank0 = contents(".nv.constant0." + each.name);
    made.bank2 = contents(fmt::format(".nv.constant{}.{}", jumpBank, each.name));
    const Section* shared = section(".nv.shared." + each.name);
    made.sharedBytes = std::max(systemShared, shared == nullptr ? 0 : std::uint32_t(shared->size));
    readInfo(made);
    addPointers(each, made);
    made.unrunnable = findProblem(each.section);
    const Section* jumps = section(fmt::format(".nv.constant{}.{}", jumpBank, each.name));
    if (jumps != nullptr && jumps->broken)
      made.unrunnable = jumps->broken;
    program_.kernels_[each.name] = std::move(made);
  }
}

/// ptxas gives each kernel its own copies of functions that it may call: "$kernel$function".
void ProgramLoader::addPointers(const Symbol& symbol, Kernel& kernel) const {
  const std::string prefix = "$" + kernel.name + "$";
  for (const Symbol& each : symbols_)
    if (each.type == llvm::ELF::STT_FUNC && each.section == symbol.section &&
        each.name.starts_with(prefix))
      if (const auto handle = variables_(each.name.substr(prefix.size())))
        kernel.functionByHandle[std::uint32_t(*handle)] = each.value;
}

void ProgramLoader::readInfo(Kernel& kernel) const {
  constexpr unsigned parameterPlace = 0x0a, leastStack = 0x12;
  constexpr std::size_t itsBytes = 8;
  forEachAttribute(contents(".nv.info"),
                   [&](unsigned kind, const std::uint8_t* bytes, std::size_t size) {
                     if (kind != leastStack || size < itsBytes)
                       return;
                     const std::uint32_t symbol = read32le(bytes);
                     if (symbol < symbols_.size() && symbols_[symbol].name == kernel.name)
                       kernel.stackBytes = read32le(bytes + 4);
                   });
  forEachAttribute(contents(".nv.info." + kernel.name),
                   [&](unsigned kind, const std::uint8_t* bytes, std::size_t size) {
                     if (kind != parameterPlace || size < itsBytes)
                       return;
                     kernel.parameterOffset = read16le(bytes + 4);
                     kernel.parameterBytes = read16le(bytes + 6);
                   });
}

/// Of a section of code and all that it names, or that has pointers to it.
std::optional<std::string> ProgramLoader::findProblem(std::uint32_t first) const {
  std::set<std::uint32_t> seen(pointedTo_.begin(), pointedTo_.end());
  seen.insert(first);
  std::vector<std::uint32_t> todo(seen.begin(), seen.end());
  while (!todo.empty()) {
    const Section& section = sections_[todo.back()];
    todo.pop_back();
    if (section.broken)
      return section.broken;
    for (std::uint64_t at = 0; at + instructionBytes <= section.bytes.size();
         at += instructionBytes)
      if (auto problem = problemOf(*program_.at(section.address + at)))
        return fmt::format("{} at {:#x} of {}", *problem, at, section.name);
    for (const std::uint32_t next : section.reached)
      if (seen.insert(next).second)
        todo.push_back(next);
  }
  return {};
}

std::optional<std::string> ProgramLoader::problemOf(const Instruction& instruction) const {
  const Encoding& code = instruction.code;
  if (instruction.handler == nullptr && !isControl(code))
    return fmt::format("operation {:#05x} ({:#018x} {:#018x})", code.bits(0, 12), code.low,
                       code.high);
  return problemOfBank(code);
}

std::optional<std::string> ProgramLoader::problemOfBank(const Encoding& code) const {
  constexpr unsigned ownBank = 0, widestRead = 16, loadConstant = 0x182, uniformIndexed = 0x0bb;
  if ((code.form() != 3 && code.form() != 5) || isControl(code))
    return {};
  const auto bank = unsigned(code.bits(54, 5));
  if (bank != ownBank && bank != jumpBank && !program_.banks_.contains(bank))
    return fmt::format("constant bank {}", bank);
  const auto broken = broken_.find(bank);
  if (broken == broken_.end())
    return {};
  const std::uint64_t offset = code.bits(38, 16);
  const bool isIndexed = code.operation() == uniformIndexed ||
                         (code.operation() == loadConstant && code.bits(24, 8) != zeroRegister);
  for (const Broken& each : broken->second)
    if (isIndexed || (each.begin < offset + widestRead && offset < each.end))
      return each.why;
  return {};
}

const ProgramLoader::Section* ProgramLoader::section(const std::string& name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<std::byte> ProgramLoader::contents(const std::string& name) const {
  const Section* found = section(name);
  std::vector<std::byte> made(found == nullptr ? 0 : found->bytes.size());
  if (!made.empty())
    std::memcpy(made.data(), found->bytes.data(), made.size());
  return made;
}

} // namespace heddle::sassrun
