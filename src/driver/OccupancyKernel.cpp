// SPDX-License-Identifier: Apache-2.0
#include "driver/OccupancyKernel.h"

#include "driver/KernelRegisters.h"
#include "engine/DeviceProgram.h"
#include "frontend/DeviceModule.h"
#include "machine/ResidentBlocks.h"
#include "support/Files.h"

#include <filesystem>

namespace heddle::driver {
namespace {

struct Named {
  std::string file, kernel; ///< empty: the only one
};

/// "k.ptx:scale<float>" and "a::b" have colons, too: the file is what exists.
Named takeApart(const std::string& which) {
  if (std::filesystem::exists(which))
    return {which, ""};
  for (std::size_t at = which.find(':'); at != std::string::npos; at = which.find(':', at + 1))
    if (std::filesystem::exists(which.substr(0, at)))
      return {which.substr(0, at), which.substr(at + 1)};
  return {which, ""};
}

Expected<std::string> onlyKernel(const frontend::DeviceModule& module, const std::string& file) {
  const std::vector<std::string> symbols = frontend::kernelNames(*module.module);
  if (symbols.size() == 1)
    return symbols.front();
  if (symbols.empty())
    return fail(ErrorKind::NotFound, "--kernel {}: there are no kernels in it", file);
  std::vector<std::string> names;
  for (const std::string& symbol : symbols)
    names.push_back(frontend::plainKernelName(symbol));
  return fail(ErrorKind::BadInput, "--kernel {0}: it has {1} kernels; write {0}:NAME, one of {2}",
              file, symbols.size(), fmt::join(names, ", "));
}

} // namespace

Expected<KernelNeeds> readKernelNeeds(const std::string& which, const machine::SmLimits& limits) {
  const Named named = takeApart(which);
  if (named.file.ends_with(".cu"))
    return fail(ErrorKind::BadInput,
                "--kernel {}: expected device code; make it with nvcc -ptx -arch=sm_{}", which,
                limits.computeCapability.number());
  HEDDLE_TRY(const std::string text, readFile(named.file));
  HEDDLE_TRY(frontend::DeviceModule module, frontend::parseDeviceModule(text, named.file));
  std::string kernel = named.kernel;
  if (kernel.empty()) {
    HEDDLE_TRY(kernel, onlyKernel(module, named.file));
  }
  HEDDLE_TRY(const auto program, engine::DeviceProgram::load(std::move(module)));
  HEDDLE_TRY(const std::string symbol, program->symbolOf(kernel));
  HEDDLE_TRY(const analysis::LaunchBounds bounds, program->launchBounds(symbol));
  HEDDLE_TRY(const engine::CompiledKernel* compiled, program->kernel(symbol));
  KernelNeeds needs{.file = named.file,
                    .name = frontend::plainKernelName(symbol),
                    .registers = {},
                    .shared = int(compiled->sharedSize()),
                    .threads = bounds.threads};
  HEDDLE_TRY(needs.registers,
             program->registerUse(
                 symbol, {.target = {.computeCapability = limits.computeCapability.number(),
                                     .free = machine::freeRegisters(limits)},
                          .most = machine::mostRegisters(limits, bounds.threads, bounds.blocks,
                                                         bounds.registers),
                          .askPtxas = mayAskPtxas()}));
  return needs;
}

} // namespace heddle::driver
