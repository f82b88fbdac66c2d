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

/// Whether the program may ask for such a block: its bounds allow the threads, and it has opted in
/// to so much shared memory.
bool isAllowed(const Runtime& runtime, const ReadyKernel& kernel, std::int64_t threads,
               std::size_t dynamicShared) {
  const auto staticShared = std::int64_t(kernel.code->sharedSize());
  const std::int64_t allowed =
      sharedAllowed(runtime.settings.device.limits, staticShared, kernel.entry->mostDynamicShared);
  if (staticShared > allowed || dynamicShared > std::size_t(allowed - staticShared))
    return false;
  const int bound = kernel.entry->limits->threads;
  return bound == 0 || threads <= bound;
}

machine::Residency residencyOf(const Runtime& runtime, const ReadyKernel& kernel,
                               std::int64_t threads, std::size_t dynamicShared) {
  return runtime.launches.residencyOf(*kernel.code, *kernel.entry->limits,
                                      static_cast<int>(threads), dynamicShared);
}

cudaError_t checkResidency(const LaunchCall& call, const machine::Residency& residency) {
  if (residency.blocks == 0)
    return cudaErrorLaunchOutOfResources; // more registers than there are, as the user gave them
  const std::int64_t blocks = std::int64_t(call.grid.x) * call.grid.y * call.grid.z;
  return call.cooperative && blocks > residency.blocks ? cudaErrorCooperativeLaunchTooLarge
                                                       : cudaSuccess;
}

std::vector<std::byte> gatherArguments(const engine::CompiledKernel& kernel, void** arguments) {
  std::vector<std::byte> packed(kernel.argumentSize());
  for (std::size_t i = 0; i < kernel.argumentSizes().size(); ++i)
    std::memcpy(packed.data() + kernel.argumentOffsets()[i], arguments[i],
                kernel.argumentSizes()[i]);
  return packed;
}

engine::LaunchSettings settingsFor(const Runtime& runtime, ProgressLine& line) {
  engine::LaunchSettings settings = runtime.settings.run;
  settings.stackBytes = std::max(settings.stackBytes, runtime.limits.at(cudaLimitStackSize));
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

engine::LaunchOutcome runOrEnd(Runtime& runtime, const ReadyKernel& kernel, const LaunchCall& call,
                               const machine::Residency& residency) {
  const engine::LaunchRequest request{.grid = sizesOf(call.grid),
                                      .block = sizesOf(call.block),
                                      .dynamicShared = call.shared,
                                      .arguments = gatherArguments(*kernel.code, call.arguments)};
  ProgressLine line(frontend::plainKernelName(kernel.entry->symbol), runtime.settings.progress);
  const LaunchInProgress inProgress;
  engine::LaunchSettings settings = settingsFor(runtime, line);
  std::optional<engine::LaunchTouches> touches;
  if (runtime.touches)
    touches = runtime.touches->ask(*kernel.code, runtime.memory);
  settings.touches = touches ? &*touches : nullptr;
  if (runtime.settings.recordedWarps > 0)
    settings.recorder = &ProfileLog::instance().recorderOf(kernel.entry->id, *kernel.code,
                                                           runtime.settings.recordedWarps);
  auto outcome =
      runtime.launches.run(*kernel.code, request, runtime.memory.live(), residency, settings);
  line.wipe();
  if (!outcome)
    endWithFault(outcome.error().message);
  if (runtime.touches)
    runtime.touches->add(kernel.entry->id, *kernel.code, request, runtime.memory, settings.touches);
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
  if (!(*entry)->limits) {
    const auto limits = runtime.launches.limitsOf(*(*entry)->program->code, (*entry)->symbol);
    if (!limits)
      endWithFault(limits.error().message);
    (*entry)->limits = *limits;
  }
  return {.entry = *entry, .code = *code};
}

int activeBlocksOf(const Runtime& runtime, const ReadyKernel& kernel, int threads,
                   std::size_t dynamicShared) {
  return isAllowed(runtime, kernel, threads, dynamicShared)
             ? residencyOf(runtime, kernel, threads, dynamicShared).occupancy.activeBlocks
             : 0;
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
  const std::int64_t threads = threadsOf(call.block);
  if (!isAllowed(runtime, kernel, threads, call.shared))
    return cudaErrorInvalidValue;
  const machine::Residency residency = residencyOf(runtime, kernel, threads, call.shared);
  if (const cudaError_t refused = checkResidency(call, residency); refused != cudaSuccess)
    return refused;

  // Step 2 and 3: gather the arguments and run
  engine::LaunchOutcome outcome = runOrEnd(runtime, kernel, call, residency);
  if (!outcome.fault) {
    runtime.launches.time(*kernel.entry->limits, residency, outcome);
    runtime.clock.pass(outcome.profile.timing->seconds);
  }

  // Step 4: keep the profile
  outcome.profile.id = kernel.entry->id;
  ProfileLog::instance().add(outcome.profile);
  if (auto timeline = runtime.launches.timer().takeTimeline(); timeline && !outcome.fault)
    ProfileLog::instance().addTimeline(outcome.profile.id, outcome.profile.timing->seconds,
                                       *std::move(timeline));
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
