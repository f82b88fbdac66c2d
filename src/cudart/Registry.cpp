// SPDX-License-Identifier: Apache-2.0
#include "cudart/Registry.h"

#include "frontend/DeviceModule.h"
#include "frontend/DeviceSymbols.h"
#include "frontend/LinkDevice.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/Endian.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::cudart {
namespace {

constexpr std::string_view containerMagic = "HEDDLEFB";
constexpr const char* origin = "the program's device code";

Expected<frontend::DeviceModule> parse(const Program& program) {
  HEDDLE_TRY(const std::string_view text, openContainer(*program.wrapper));
  return frontend::parseDeviceModule(text, origin);
}

/// What a variable of the host may be called in the device code, most likely first.
std::vector<std::string> namesOf(const VariableEntry& entry) {
  const std::string plain = frontend::withoutStaticMark(entry.symbol);
  const std::size_t file = entry.program->file;
  return {frontend::nameInFile(entry.symbol, file), frontend::nameInFile(plain, file), entry.symbol,
          plain};
}

const llvm::GlobalVariable* deviceVariable(const llvm::Module& module, const VariableEntry& entry) {
  for (const std::string& name : namesOf(entry))
    if (const llvm::GlobalVariable* found = module.getGlobalVariable(name, true))
      return found;
  return nullptr;
}

/// The bytes a variable begins with.
void writeInitial(const llvm::GlobalVariable& variable, std::byte* to, std::size_t size) {
  const llvm::DataLayout& layout = variable.getParent()->getDataLayout();
  llvm::Type* byte = llvm::Type::getInt8Ty(variable.getContext());
  auto* initial = const_cast<llvm::Constant*>(variable.getInitializer());
  const bool isZero = initial->isNullValue() || llvm::isa<llvm::UndefValue>(initial);
  for (std::size_t i = 0; i < size; ++i) {
    const auto* value =
        isZero ? nullptr
               : llvm::dyn_cast_or_null<llvm::ConstantInt>(
                     llvm::ConstantFoldLoadFromConst(initial, byte, llvm::APInt(64, i), layout));
    to[i] = std::byte(value == nullptr ? 0 : value->getZExtValue());
  }
}

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

std::string Registry::freshId(const std::string& symbol) {
  const int number = ++symbols_[symbol];
  return number == 1 ? symbol : fmt::format("{}#{}", symbol, number);
}

void Registry::addKernel(Program* program, const void* hostFunction, std::string symbol) {
  // An instance of a template comes from several source files under one host address.
  if (kernels_.contains(hostFunction))
    return;
  std::string id = freshId(symbol);
  kernels_[hostFunction] = {.program = program, .symbol = std::move(symbol), .id = std::move(id)};
}

void Registry::addVariable(Program* program, const void* hostVariable, std::string symbol,
                           std::size_t size) {
  if (symbol == "_ZL13__heddle_file") // which only makes the file's code stay: heddle_prelude.h
    return;
  const auto* at = static_cast<const std::byte*>(hostVariable);
  const bool managed = std::ranges::any_of(
      managed_, [&](const auto& range) { return range.first <= at && at < range.second; });
  variables_.try_emplace(hostVariable, VariableEntry{.program = program,
                                                     .symbol = std::move(symbol),
                                                     .size = size,
                                                     .managed = managed});
}

void Registry::addManaged(const std::byte* begin, const std::byte* end) {
  managed_.emplace_back(begin, end);
}

Expected<void> Registry::finish(const Program* program) {
  std::optional<frontend::DeviceModule> module;
  for (const auto& [host, entry] : variables_) {
    if (entry.program != program || !entry.managed)
      continue;
    if (!module) {
      HEDDLE_TRY(module, parse(*program));
    }
    const llvm::GlobalVariable* variable = deviceVariable(*module->module, entry);
    if (variable != nullptr && variable->hasInitializer())
      writeInitial(*variable, static_cast<std::byte*>(const_cast<void*>(host)), entry.size);
  }
  return {};
}

void Registry::removeProgram(Program* program) {
  program->removed = true;
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

KernelEntry& Registry::kernelBeside(const KernelEntry& entry, const std::string& symbol) {
  const engine::DeviceProgram* code = entry.program->code.get();
  const auto announced = std::ranges::find_if(kernels_, [&](const auto& each) {
    return each.second.program->code.get() == code && each.second.symbol == symbol;
  });
  if (announced != kernels_.end())
    return announced->second;
  const auto [own, isNew] = deviceKernels_.try_emplace({code, symbol});
  if (isNew)
    own->second = {.program = entry.program, .symbol = symbol, .id = freshId(symbol)};
  return own->second;
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
  return std::ranges::any_of(symbols_, [&](const auto& symbol) {
    std::string plain = frontend::plainKernelName(symbol.first);
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
  deviceKernels_.clear();
}

/// Files that need each other become one program, and then all files do: which of them is loaded
/// first must not matter.
Expected<bool> Registry::mustLink() {
  if (!links_) {
    links_ = false;
    for (const auto& program : programs_) {
      if (*links_ || programs_.size() < 2 || program->removed)
        continue;
      HEDDLE_TRY(const frontend::DeviceModule module, parse(*program));
      links_ = frontend::needsOtherFiles(*module.module);
    }
  }
  return *links_;
}

std::vector<Program*> Registry::loadedWith(Program& program) const {
  if (!*links_)
    return {&program};
  std::vector<Program*> all;
  for (const auto& each : programs_)
    if (!each->removed)
      all.push_back(each.get());
  return all;
}

Expected<void> Registry::load(Program& program, const Settings& settings, Memory& memory) {
  if (program.loaded)
    return {};
  HEDDLE_CHECK(mustLink());
  const std::vector<Program*> programs = loadedWith(program);
  frontend::DeviceModule module;
  if (programs.size() > 1) {
    std::vector<std::string_view> texts;
    for (Program* each : programs) {
      HEDDLE_TRY(const std::string_view text, openContainer(*each->wrapper));
      each->file = texts.size();
      texts.push_back(text);
    }
    HEDDLE_TRY(module, frontend::linkDeviceCode(texts));
  } else {
    HEDDLE_TRY(module, parse(program));
  }
  if (settings.registers.askPtxas)
    frontend::countMachineInstructions(module, settings.device.limits.computeCapability.number(),
                                       settings.registers.useCache);
  const engine::PlacedVariables placed = managedVariables(programs, *module.module);
  HEDDLE_TRY(const std::shared_ptr<engine::DeviceProgram> code,
             engine::DeviceProgram::load(std::move(module), true, settings.codeForm, placed));
  for (const engine::DeviceVariable& variable : code->variables())
    if (variable.size > 0)
      memory.addVariable(variable.address, variable.size, llvm::demangle(variable.name),
                         variable.constant, placed.contains(variable.name));
  for (const auto& [symbol, handle] : code->functionHandles())
    memory.addFunction(handle.get(), llvm::demangle(symbol));
  for (Program* each : programs) {
    each->code = code;
    placeVariables(*each, memory);
    each->loaded = true;
  }
  return {};
}

engine::PlacedVariables Registry::managedVariables(const std::vector<Program*>& programs,
                                                   const llvm::Module& module) const {
  engine::PlacedVariables placed;
  for (const auto& [host, entry] : variables_) {
    if (!entry.managed || std::ranges::find(programs, entry.program) == programs.end())
      continue;
    if (const llvm::GlobalVariable* variable = deviceVariable(module, entry))
      placed[variable->getName().str()] = static_cast<std::byte*>(const_cast<void*>(host));
  }
  return placed;
}

void Registry::placeVariables(const Program& program, Memory& memory) {
  std::map<std::string_view, const engine::DeviceVariable*> bySymbol;
  for (const engine::DeviceVariable& variable : program.code->variables())
    bySymbol[variable.name] = &variable;
  for (auto& [host, entry] : variables_) {
    if (entry.program != &program)
      continue;
    const std::vector<std::string> names = namesOf(entry);
    const auto named = std::ranges::find_if(
        names, [&](const std::string& name) { return bySymbol.contains(name); });
    if (named != names.end()) {
      entry.address = bySymbol.at(*named)->address;
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
