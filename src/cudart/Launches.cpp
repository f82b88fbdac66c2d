// SPDX-License-Identifier: Apache-2.0
//
// 1. Refuse what CUDA refuses, with its codes.
// 2. Gather the arguments.
// 3. Run.
// 4. Keep the profile; end the program if a check stopped the launch.
// 5. Run what the kernel has launched.
#include "cudart/Launches.h"

#include "cudart/Clusters.h"
#include "cudart/DeviceLaunches.h"
#include "cudart/Ending.h"
#include "cudart/FirstTouches.h"
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

dim3 dim3Of(const profile::Extent& extent) {
  return dim3(unsigned(extent[0]), unsigned(extent[1]), unsigned(extent[2]));
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

/// The launch in blocks of the size that is given for such a kernel, if one is.
LaunchCall withGivenBlock(const Runtime& runtime, const ReadyKernel& kernel, LaunchCall call) {
  const profile::Extent grid = sizesOf(call.grid), block = sizesOf(call.block);
  const profile::GivenBlock* given =
      profile::nearestBlock(runtime.settings.blocks, kernel.entry->id,
                            profile::threadsOf(grid) * profile::threadsOf(block));
  const bool hasCluster = call.cluster.has_value() || kernel.entry->limits->cluster[0] > 0;
  if (given == nullptr || call.cooperative || call.shared > 0 || hasCluster)
    return call;
  call.grid = dim3Of(profile::coveringGrid(grid, block, given->block));
  call.block = dim3Of(given->block);
  return call;
}

machine::Residency residencyOf(const Runtime& runtime, const ReadyKernel& kernel,
                               std::int64_t threads, std::size_t dynamicShared) {
  return runtime.launches.residencyOf(*kernel.code, *kernel.entry->limits,
                                      static_cast<int>(threads), dynamicShared);
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

launch::LaunchOutcome runOrEnd(Runtime& runtime, const GridLaunch& launch) {
  const ReadyKernel& kernel = launch.kernel;
  ProgressLine line(frontend::plainKernelName(kernel.entry->symbol), runtime.settings.progress);
  const LaunchInProgress inProgress;
  engine::LaunchSettings settings = settingsFor(runtime, line);
  settings.grid = ++runtime.grids;
  std::optional<engine::LaunchTouches> touches;
  if (runtime.touches)
    touches = runtime.touches->ask(*kernel.code, runtime.memory);
  settings.touches = touches ? &*touches : nullptr;
  if (runtime.settings.recordedWarps > 0)
    settings.recorder = &ProfileLog::instance().recorderOf(kernel.entry->id, *kernel.code,
                                                           runtime.settings.recordedWarps);
  auto outcome = runtime.launches.run(*kernel.entry->program->code, *kernel.code, launch.request,
                                      runtime.memory.live(), launch.residency, settings);
  line.wipe();
  if (!outcome)
    endWithFault(outcome.error().message);
  if (runtime.touches)
    runtime.touches->add(kernel.entry->id, *kernel.code, launch.request, runtime.memory,
                         settings.touches);
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
  return *entry == nullptr ? ReadyKernel{} : prepareKernel(runtime, **entry);
}

ReadyKernel prepareKernel(Runtime& runtime, KernelEntry& entry) {
  const auto code = entry.program->code->kernel(entry.symbol);
  if (!code)
    endWithFault(code.error().message);
  if (!entry.limits) {
    const auto limits = runtime.launches.limitsOf(*entry.program->code, entry.symbol);
    if (!limits)
      endWithFault(limits.error().message);
    entry.limits = *limits;
  }
  return {.entry = &entry, .code = *code};
}

int activeBlocksOf(const Runtime& runtime, const ReadyKernel& kernel, int threads,
                   std::size_t dynamicShared) {
  return isAllowed(runtime, kernel, threads, dynamicShared)
             ? residencyOf(runtime, kernel, threads, dynamicShared).occupancy.activeBlocks
             : 0;
}

cudaError_t checkLaunch(const Runtime& runtime, GridLaunch& launch, bool cooperative) {
  const engine::LaunchRequest& request = launch.request;
  const dim3 grid = dim3Of(request.grid), block = dim3Of(request.block);
  if (!isValidConfiguration(runtime.settings.device.limits, grid, block))
    return cudaErrorInvalidConfiguration;
  if (const cudaError_t refused = setClusters(runtime, launch); refused != cudaSuccess)
    return refused;
  const std::int64_t threads = threadsOf(block);
  if (!isAllowed(runtime, launch.kernel, threads, request.dynamicShared))
    return cudaErrorInvalidValue;
  launch.residency = residencyOf(runtime, launch.kernel, threads, request.dynamicShared);
  if (launch.residency.blocks == 0)
    return cudaErrorLaunchOutOfResources; // more registers than there are, as the user gave them
  const std::int64_t blocks = std::int64_t(grid.x) * grid.y * grid.z;
  return cooperative && blocks > launch.residency.blocks ? cudaErrorCooperativeLaunchTooLarge
                                                         : cudaSuccess;
}

void faultOfKernel(Runtime& runtime, const std::string& message, cudaError_t error) {
  if (!runtime.settings.keepGoing)
    endWithFault(message);
  ProfileLog::instance().noteFault(message);
  runtime.stickyError = error;
}

std::vector<engine::DeviceLaunch> runGrid(Runtime& runtime, const GridLaunch& launch) {
  // Step 3: run
  const KernelEntry& entry = *launch.kernel.entry;
  runtime.managed.look(runtime.memory);
  launch::LaunchOutcome outcome = runOrEnd(runtime, launch);
  runtime.managed.earn(outcome.profile.threadInstructions);
  if (!outcome.fault) {
    noteFirstTouch(runtime, outcome);
    runtime.launches.time(*entry.limits, launch.residency, outcome);
    runtime.clock.pass(outcome.profile.timing->seconds);
  }
  runtime.managed.keep();

  // Step 4: keep the profile
  outcome.profile.id = entry.id;
  outcome.profile.deviceLaunches = launch.byDevice ? 1 : 0;
  ProfileLog::instance().add(outcome.profile);
  ProfileLog::instance().addStrays(outcome.strays);
  if (auto timeline = runtime.launches.timer().takeTimeline(); timeline && !outcome.fault)
    ProfileLog::instance().addTimeline(outcome.profile.id, outcome.profile.timing->seconds,
                                       *std::move(timeline));
  const bool interrupted =
      outcome.fault ? outcome.fault->kind == engine::FaultKind::Interrupted : stopRequest().load();
  if (interrupted)
    endInterrupted();
  if (!outcome.fault)
    return std::move(outcome.children);
  if (outcome.fault->mayPass)
    ProfileLog::instance().noteStrayFault();
  // The launch is fine; whoever waits for it learns of the fault.
  faultOfKernel(runtime, outcome.fault->message, errorOf(outcome.fault->kind));
  return {};
}

cudaError_t launchKernel(Runtime& runtime, const LaunchCall& asked) {
  // Step 1: refuse
  if (!runtime.isStream(asked.stream))
    return cudaErrorInvalidResourceHandle;
  if (!isValidConfiguration(runtime.settings.device.limits, asked.grid, asked.block))
    return cudaErrorInvalidConfiguration;
  const ReadyKernel kernel = prepareKernel(runtime, asked.function);
  if (kernel.entry == nullptr)
    return cudaErrorInvalidDeviceFunction;
  const LaunchCall call = withGivenBlock(runtime, kernel, asked);
  GridLaunch launch{.kernel = kernel,
                    .request = {.grid = sizesOf(call.grid),
                                .block = sizesOf(call.block),
                                .dynamicShared = call.shared,
                                .arguments = {}},
                    .residency = {},
                    .cluster = call.cluster};
  if (const cudaError_t refused = checkLaunch(runtime, launch, call.cooperative);
      refused != cudaSuccess)
    return refused;

  // Step 2: gather the arguments
  launch.request.arguments = gatherArguments(*kernel.code, call.arguments);

  // Step 5: what its threads launch
  runDeviceLaunches(runtime, *kernel.entry, runGrid(runtime, launch));
  return cudaSuccess;
}

} // namespace heddle::cudart
