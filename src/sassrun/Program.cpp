// SPDX-License-Identifier: Apache-2.0
#include "sassrun/Program.h"

#include "sassrun/ProgramLoader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace heddle::sassrun {

Expected<std::unique_ptr<Program>> Program::load(std::string_view cubin, int architecture,
                                                 const SymbolAddress& variables) {
  constexpr int known = 90;
  if (architecture != known)
    return fail(ErrorKind::Unsupported, "machine code of sm_{} cannot be run, only that of sm_{}",
                architecture, known);
  const auto refuse = [](llvm::Error error) {
    return fail(ErrorKind::BadInput, "what ptxas wrote cannot be read: {}",
                llvm::toString(std::move(error)));
  };
  auto file = sass::CubinFile::create(llvm::StringRef(cubin));
  if (!file)
    return refuse(file.takeError());
  if (file->getHeader().e_machine != llvm::ELF::EM_CUDA)
    return fail(ErrorKind::BadInput, "what ptxas wrote cannot be read: it is for another machine");
  std::unique_ptr<Program> made(new Program);
  if (llvm::Error error = ProgramLoader(*file, variables, *made).load())
    return refuse(std::move(error));
  return made;
}

std::unique_ptr<Program> Program::fromCode(const std::vector<Encoding>& code) {
  constexpr std::uint32_t parameterOffset = 0x210; // as ptxas has it for sm_90
  std::unique_ptr<Program> made(new Program);
  Kernel kernel{
      .name = std::string(codeKernel), .entry = firstAddress, .parameterOffset = parameterOffset};
  for (const Encoding& each : code) {
    Instruction instruction = decode(each);
    instruction.handler = isControl(each) ? nullptr : handlerFor(each);
    instruction.address = firstAddress + made->code_.size() * instructionBytes;
    if (instruction.handler == nullptr && !isControl(each))
      kernel.unrunnable = fmt::format("operation {:#05x}", each.bits(0, 12));
    made->code_.push_back(instruction);
  }
  made->kernels_[kernel.name] = std::move(kernel);
  return made;
}

const Kernel* Program::kernel(const std::string& name) const {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : &found->second;
}

const Instruction* Program::at(std::uint64_t address) const {
  const std::uint64_t index = (address - firstAddress) / instructionBytes;
  if (address < firstAddress || address % instructionBytes != 0 || index >= code_.size())
    return nullptr;
  return &code_[index];
}

std::optional<std::uint64_t> Program::functionAt(std::uint64_t handle) const {
  const auto found = functions_.find(handle);
  return found == functions_.end() ? std::nullopt : std::optional(found->second);
}

const std::string& Program::missingFunction(std::uint64_t address) const {
  static const std::string none;
  const std::uint64_t index = address / instructionBytes;
  return index != 0 && index <= missing_.size() ? missing_[index - 1] : none;
}

bool Program::readConstant(unsigned bank, std::uint64_t offset, void* into,
                           std::size_t size) const {
  const auto found = banks_.find(bank);
  if (found == banks_.end() || offset > found->second.size() ||
      size > found->second.size() - offset)
    return false;
  std::memcpy(into, found->second.data() + offset, size);
  if (bank == variableBank)
    readPlaced(offset, static_cast<std::byte*>(into), size);
  return true;
}

/// Puts the values that variables have now over those of the file.
void Program::readPlaced(std::uint64_t offset, std::byte* into, std::size_t size) const {
  auto each = placed_.upper_bound(offset);
  if (each != placed_.begin())
    --each;
  for (; each != placed_.end() && each->first < offset + size; ++each) {
    const std::uint64_t begin = std::max(offset, each->first);
    const std::uint64_t end = std::min(offset + size, each->first + each->second.size);
    if (begin < end)
      // NOLINTNEXTLINE(performance-no-int-to-ptr): variables lie in memory of the process
      std::memcpy(into + (begin - offset),
                  reinterpret_cast<const std::byte*>(each->second.address + (begin - each->first)),
                  end - begin);
  }
}

} // namespace heddle::sassrun
