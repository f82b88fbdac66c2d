// SPDX-License-Identifier: Apache-2.0
//
// 1. Refuse what CUDA refuses, with its codes.
// 2. Gather the arguments.
// 3. Run.
// 4. Keep the profile; end the program if a check stopped the launch.
#include "cudart/Launches.h"

#include "cudart/Ending.h"
#include "cudart/LaunchLimits.h"
#include "cudart/ProfileLog.h"
#include "cudart/ProgressLine.h"
#include "machine/ResidentBlocks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace heddle::cudart {
namespace {

std::int64_t threadsOf(dim3 block) {
  return std::int64_t(block.x) * block.y * block.z;
}

std::array<int, 3> sizesOf(dim3 size) {
  return {static_cast<int>(size.x), static_cast<int>(size.y), static_cast<int>(size.z)};
}

constexpr const char* givenSource = "given";

/// What ptxas or the estimate say of a kernel.
Expected<profile::RegisterUse> findRegisters(const Runtime& runtime, const KernelEntry& entry,
                                             const analysis::LaunchBounds& bounds) {
  const machine::SmLimits& limits = runtime.settings.device.limits;
  return entry.program->code->registerUse(
      entry.symbol,
      {.target = {.computeCapability = limits.computeCapability.number(),
                  .free = machine::freeRegisters(limits)},
       .most = machine::mostRegisters(limits, bounds.threads, bounds.blocks, bounds.registers),
       .askPtxas = runtime.settings.askPtxas,
       .useCache = runtime.settings.useCache});
}

/// Looks up, once, what limits the launches of a kernel; the user's own numbers come first.
Expected<void> findLimits(const Runtime& runtime, KernelEntry& entry) {
  if (entry.registers)
    return {};
  HEDDLE_TRY(const analysis::LaunchBounds bounds, entry.program->code->launchBounds(entry.symbol));
  entry.threadLimit = bounds.threads;
  for (const auto& [name, registers] : runtime.settings.registers) // "scale" before "scale<int>"
    if (frontend::isNameOf(name, entry.symbol))
      entry.registers = {.registers = registers, .source = givenSource};
  if (!entry.registers) {
    HEDDLE_TRY(entry.registers, findRegisters(runtime, entry, bounds));
  }
  return {};
}

/// Blocks that the whole GPU holds at once.
std::int64_t residentBlocks(const Runtime& runtime, const ReadyKernel& kernel,
                            const LaunchCall& call) {
  const int active =
      activeBlocksOf(runtime, kernel, static_cast<int>(threadsOf(call.block)), call.shared);
  return std::int64_t(runtime.settings.device.multiprocessors) * active;
}

cudaError_t checkResources(const Runtime& runtime, const ReadyKernel& kernel,
                           const LaunchCall& call) {
  const machine::SmLimits& limits = runtime.settings.device.limits;
  const auto staticShared = std::int64_t(kernel.code->sharedSize());
  const std::int64_t allowed = sharedAllowed(limits, staticShared, kernel.entry->mostDynamicShared);
  if (staticShared > allowed || call.shared > std::size_t(allowed - staticShared))
    return cudaErrorInvalidValue;
  if (kernel.entry->threadLimit > 0 && threadsOf(call.block) > kernel.entry->threadLimit)
    return cudaErrorInvalidValue;
  if (residentBlocks(runtime, kernel, call) == 0)
    return cudaErrorLaunchOutOfResources; // more registers than there are, as the user gave them
  if (!call.cooperative)
    return cudaSuccess;
  const std::int64_t blocks = std::int64_t(call.grid.x) * call.grid.y * call.grid.z;
  return blocks > residentBlocks(runtime, kernel, call) ? cudaErrorCooperativeLaunchTooLarge
                                                        : cudaSuccess;
}

std::vector<std::byte> gatherArguments(const engine::CompiledKernel& kernel, void** arguments) {
  std::vector<std::byte> packed(kernel.argumentSize());
  for (std::size_t i = 0; i < kernel.argumentSizes().size(); ++i)
    std::memcpy(packed.data() + kernel.argumentOffsets()[i], arguments[i],
                kernel.argumentSizes()[i]);
  return packed;
}

engine::LaunchSettings settingsFor(const Runtime& runtime, std::int64_t resident,
                                   ProgressLine& line) {
  engine::LaunchSettings settings;
  settings.reconvergence = runtime.settings.reconvergence;
  settings.residentBlocks = std::max<std::int64_t>(resident, 1);
  settings.mostInstructions = runtime.settings.mostInstructions;
  settings.stackBytes = std::max(settings.stackBytes, runtime.limits.at(cudaLimitStackSize));
  settings.workers = runtime.settings.workers;
  settings.fixedClock = runtime.settings.fixedClock;
  if (runtime.settings.progress)
    settings.progress = [&line](const engine::LaunchProgress& progress) { line.update(progress); };
  settings.print = [&line](std::string_view text) {
    line.wipe();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  settings.stop = &stopRequest();
  return settings;
}

/// The launch's time on the modelled GPU.
void timeLaunch(Runtime& runtime, const ReadyKernel& kernel, const LaunchCall& call,
                engine::LaunchOutcome& outcome) {
  const int shared = static_cast<int>(kernel.code->sharedSize() + call.shared);
  runtime.timer.time(std::move(outcome.trace), *kernel.entry->registers, shared, outcome.profile);
  runtime.clock.pass(outcome.profile.timing->seconds);
}

engine::LaunchOutcome runOrEnd(Runtime& runtime, const ReadyKernel& kernel,
                               const LaunchCall& call) {
  const engine::LaunchRequest request{.grid = sizesOf(call.grid),
                                      .block = sizesOf(call.block),
                                      .dynamicShared = call.shared,
                                      .arguments = gatherArguments(*kernel.code, call.arguments)};
  ProgressLine line(frontend::plainKernelName(kernel.entry->symbol), runtime.settings.progress);
  const LaunchInProgress inProgress;
  engine::LaunchSettings settings =
      settingsFor(runtime, residentBlocks(runtime, kernel, call), line);
  std::optional<engine::LaunchTouches> touches;
  if (runtime.touches)
    touches = runtime.touches->ask(*kernel.code, runtime.memory);
  settings.touches = touches ? &*touches : nullptr;
  auto outcome = engine::launch(*kernel.code, request, runtime.memory.live(), settings);
  line.wipe();
  if (!outcome)
    endWithFault(outcome.error().message);
  if (runtime.touches)
    runtime.touches->add(*kernel.code, request, runtime.memory, settings.touches);
  return *std::move(outcome);
}

/// What CUDA reports for a fault.
cudaError_t errorOf(engine::FaultKind kind) {
  switch (kind) {
  case engine::FaultKind::IllegalAddress:
    return cudaErrorIllegalAddress;
  case engine::FaultKind::MisalignedAddress:
    return cudaErrorMisalignedAddress;
  case engine::FaultKind::Assert:
    return cudaErrorAssert;
  case engine::FaultKind::InstructionBudget:
  case engine::FaultKind::Hang:
    return cudaErrorLaunchTimeout;
  default:
    return cudaErrorLaunchFailure;
  }
}

} // namespace

ReadyKernel prepareKernel(Runtime& runtime, const void* function) {
  const auto entry = Registry::instance().findKernel(function, runtime.settings, runtime.memory);
  if (!entry)
    endWithFault(entry.error().message);
  if (*entry == nullptr)
    return {};
  const auto code = (*entry)->program->code->kernel((*entry)->symbol);
  if (!code)
    endWithFault(code.error().message);
  if (const auto found = findLimits(runtime, **entry); !found)
    endWithFault(found.error().message);
  return {.entry = *entry, .code = *code};
}

int activeBlocksOf(const Runtime& runtime, const ReadyKernel& kernel, int threads,
                   std::size_t dynamicShared) {
  const machine::SmLimits& limits = runtime.settings.device.limits;
  const auto staticShared = std::int64_t(kernel.code->sharedSize());
  const std::int64_t allowed = sharedAllowed(limits, staticShared, kernel.entry->mostDynamicShared);
  if (staticShared > allowed || dynamicShared > std::size_t(allowed - staticShared))
    return 0;
  if (kernel.entry->threadLimit > 0 && threads > kernel.entry->threadLimit)
    return 0;
  const machine::KernelResources resources{
      .threads = threads,
      .registers = kernel.entry->registers->registers,
      .shared = static_cast<int>(staticShared + std::int64_t(dynamicShared))};
  return machine::activeBlocks(limits, resources,
                               kernel.entry->registers->source == givenSource
                                   ? machine::RegisterCount::Fixed
                                   : machine::RegisterCount::Guess);
}

cudaError_t launchKernel(Runtime& runtime, const LaunchCall& call) {
  // Step 1: refuse
  if (!runtime.isStream(call.stream))
    return cudaErrorInvalidResourceHandle;
  if (!isValidConfiguration(runtime.settings.device.limits, call.grid, call.block))
    return cudaErrorInvalidConfiguration;
  const ReadyKernel kernel = prepareKernel(runtime, call.function);
  if (kernel.entry == nullptr)
    return cudaErrorInvalidDeviceFunction;
  if (const cudaError_t refused = checkResources(runtime, kernel, call); refused != cudaSuccess)
    return refused;

  // Step 2 and 3: gather the arguments and run
  engine::LaunchOutcome outcome = runOrEnd(runtime, kernel, call);
  if (!outcome.fault)
    timeLaunch(runtime, kernel, call, outcome);

  // Step 4: keep the profile
  ProfileLog::instance().add(kernel.entry->program, kernel.entry->symbol, outcome.profile);
  const bool interrupted =
      outcome.fault ? outcome.fault->kind == engine::FaultKind::Interrupted : stopRequest().load();
  if (interrupted)
    endInterrupted();
  if (outcome.fault && !runtime.settings.keepGoing)
    endWithFault(outcome.fault->message);
  if (outcome.fault) { // the launch is fine; whoever waits for it learns of the fault
    ProfileLog::instance().noteFault(outcome.fault->message);
    runtime.stickyError = errorOf(outcome.fault->kind);
  }
  return cudaSuccess;
}

} // namespace heddle::cudart
