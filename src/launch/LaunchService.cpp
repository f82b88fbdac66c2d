// SPDX-License-Identifier: Apache-2.0
#include "launch/LaunchService.h"

#include "machine/DeviceCatalog.h"

#include <algorithm>
#include <optional>

namespace heddle::launch {
namespace {

constexpr machine::ComputeCapability independentThreads = {7, 0};

} // namespace

Expected<KernelLimits> LaunchService::limitsOf(engine::DeviceProgram& program,
                                               const std::string& kernel) const {
  HEDDLE_TRY(const std::string symbol, program.symbolOf(kernel));
  HEDDLE_TRY(const analysis::LaunchBounds bounds, program.launchBounds(symbol));
  KernelLimits limits{.threads = bounds.threads, .cluster = bounds.cluster, .registers = {}};
  std::optional<int> given;
  for (const auto& [name, registers] : registers_.given) // "scale" before "scale<int>"
    if (frontend::isNameOf(name, symbol))
      given = registers;
  if (given) {
    limits.registers = {.registers = *given, .source = profile::RegisterSource::Kind::Given};
    return limits;
  }
  const machine::SmLimits& device = device_.limits;
  HEDDLE_TRY(limits.registers,
             program.registerUse(symbol,
                                 {.target = {.computeCapability = device.computeCapability.number(),
                                             .free = machine::freeRegisters(device)},
                                  .most = machine::mostRegisters(device, bounds.threads,
                                                                 bounds.blocks, bounds.registers),
                                  .askPtxas = registers_.askPtxas,
                                  .useCache = registers_.useCache}));
  return limits;
}

machine::Residency LaunchService::residencyOf(const engine::CompiledKernel& kernel,
                                              const KernelLimits& limits, int threads,
                                              std::size_t dynamicShared) const {
  const bool isFixed = limits.registers.isGiven();
  return machine::residencyOf(device_,
                              {.threads = threads,
                               .registers = limits.registers.registers,
                               .shared = static_cast<int>(kernel.sharedSize() + dynamicShared)},
                              isFixed ? machine::RegisterCount::Fixed
                                      : machine::RegisterCount::Guess);
}

Expected<LaunchOutcome>
LaunchService::run(engine::DeviceProgram& program, const engine::CompiledKernel& kernel,
                   const engine::LaunchRequest& request, const engine::DeviceMemory& memory,
                   const machine::Residency& residency, engine::LaunchSettings settings) {
  settings.residentBlocks = std::max<std::int64_t>(residency.blocks, 1);
  settings.multiprocessors = std::max(device_.multiprocessors, 1);
  MachineSample sample = sampler_.prepare(program, kernel, request, memory, settings);
  HEDDLE_TRY(engine::LaunchOutcome outcome, engine::launch(kernel, request, memory, settings));
  if (sample.run && !outcome.fault)
    sample.run->adopt();
  return LaunchOutcome{std::move(outcome), std::move(sample)};
}

void LaunchService::time(const KernelLimits& limits, const machine::Residency& residency,
                         LaunchOutcome& outcome) {
  const Calibration* calibration = outcome.sample.calibration(outcome);
  timer_.time(std::move(outcome.trace), limits.registers, residency, outcome.profile,
              calibration != nullptr ? calibration->executions : 0);
  if (calibration != nullptr)
    apply(*calibration, outcome.profile);
}

engine::Reconvergence usualReconvergence(const machine::Device& device) {
  return device.limits.computeCapability >= independentThreads ? engine::Reconvergence::Volta
                                                               : engine::Reconvergence::Stack;
}

std::string_view reconvergenceName(engine::Reconvergence reconvergence) {
  return reconvergence == engine::Reconvergence::Volta ? "volta" : "stack";
}

} // namespace heddle::launch
