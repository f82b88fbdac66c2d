// SPDX-License-Identifier: Apache-2.0
#include "cudart/Registry.h"

#include "frontend/DeviceModule.h"
#include "frontend/DeviceSymbols.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/Support/Endian.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::cudart {
namespace {

constexpr std::string_view containerMagic = "HEDDLEFB";

} // namespace

Expected<std::string_view> openContainer(const FatBinaryWrapper& wrapper) {
  const auto* data = static_cast<const char*>(wrapper.data);
  if (wrapper.magic != FatBinaryWrapper::expectedMagic || data == nullptr ||
      std::string_view(data, containerMagic.size()) != containerMagic)
    return fail(
        ErrorKind::Unsupported,
        "the program holds device code that Heddle did not compile; compile it with heddle");
  const std::uint64_t size = llvm::support::endian::read64le(data + containerMagic.size());
  return std::string_view(data + containerMagic.size() + sizeof size, size);
}

Registry& Registry::instance() {
  static Registry* const registry = new Registry;
  return *registry;
}

Program* Registry::addProgram(const FatBinaryWrapper* wrapper) {
  programs_.push_back(std::make_unique<Program>());
  programs_.back()->wrapper = wrapper;
  return programs_.back().get();
}

void Registry::addKernel(Program* program, const void* hostFunction, std::string symbol) {
  symbols_.insert(symbol);
  // An instance of a template comes from several source files under one host address.
  kernels_.try_emplace(hostFunction, KernelEntry{.program = program, .symbol = std::move(symbol)});
}

void Registry::addVariable(Program* program, const void* hostVariable, std::string symbol,
                           std::size_t size) {
  variables_.try_emplace(
      hostVariable, VariableEntry{.program = program, .symbol = std::move(symbol), .size = size});
}

void Registry::removeProgram(Program* program) {
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second.program == program; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.program == program; });
}

Expected<KernelEntry*> Registry::findKernel(const void* hostFunction, const Settings& settings,
                                            Memory& memory) {
  const auto found = kernels_.find(hostFunction);
  if (found == kernels_.end())
    return nullptr;
  KernelEntry& kernel = found->second;
  HEDDLE_CHECK(load(*kernel.program, settings, memory));
  return &kernel;
}

Expected<VariableEntry*> Registry::findVariable(const void* hostVariable, const Settings& settings,
                                                Memory& memory) {
  const auto found = variables_.find(hostVariable);
  if (found == variables_.end())
    return nullptr;
  HEDDLE_CHECK(load(*found->second.program, settings, memory));
  return &found->second;
}

bool Registry::hasKernel(const std::string& name) const {
  return std::ranges::any_of(symbols_, [&](const std::string& symbol) {
    std::string plain = frontend::plainKernelName(symbol);
    plain.resize(std::min(plain.find_first_of("(<"), plain.size()));
    return plain.substr(plain.rfind(':') + 1) == name;
  });
}

void Registry::forgetLoaded() {
  for (const auto& program : programs_)
    program->loaded = false;
  for (auto& [function, kernel] : kernels_) {
    kernel.mostDynamicShared = 0;
    kernel.carveout = -1;
  }
}

Expected<void> Registry::load(Program& program, const Settings& settings, Memory& memory) {
  if (program.loaded)
    return {};
  HEDDLE_TRY(const std::string_view bitcode, openContainer(*program.wrapper));
  HEDDLE_TRY(frontend::DeviceModule module,
             frontend::parseDeviceModule(bitcode, "the program's device code"));
  if (settings.registers.askPtxas)
    frontend::countMachineInstructions(module, settings.device.limits.computeCapability.number(),
                                       settings.registers.useCache);
  HEDDLE_TRY(program.code, engine::DeviceProgram::load(std::move(module)));
  placeVariables(program, memory);
  program.loaded = true;
  return {};
}

void Registry::placeVariables(Program& program, Memory& memory) {
  std::map<std::string_view, const engine::DeviceVariable*> bySymbol;
  for (const engine::DeviceVariable& variable : program.code->variables()) {
    bySymbol[variable.name] = &variable;
    if (variable.size > 0)
      memory.addVariable(variable.address, variable.size, llvm::demangle(variable.name),
                         variable.constant);
  }
  for (const auto& [symbol, handle] : program.code->functionHandles())
    memory.addFunction(handle.get(), llvm::demangle(symbol));
  for (auto& [host, entry] : variables_) {
    if (entry.program != &program)
      continue;
    auto found = bySymbol.find(entry.symbol);
    if (found == bySymbol.end())
      found = bySymbol.find(frontend::withoutStaticMark(entry.symbol));
    if (found != bySymbol.end()) {
      entry.address = found->second->address;
      continue;
    }
    // The optimiser has dropped it from the device code, but the host may still copy to and from
    // it.
    entry.own = std::make_unique<std::byte[]>(entry.size);
    entry.address = entry.own.get();
    memory.addVariable(entry.address, entry.size, llvm::demangle(entry.symbol));
  }
}

} // namespace heddle::cudart
