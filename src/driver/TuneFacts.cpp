// SPDX-License-Identifier: Apache-2.0
#include "driver/TuneFacts.h"

#include "support/LaneMask.h"
#include "support/SortStably.h"

#include <algorithm>

namespace heddle::driver {
namespace {

using profile::Extent;
using profile::KernelProfile;
using profile::LaunchRecord;
using profile::ProgramProfile;
using tune::Parameter;
using tune::ParameterKind;

std::vector<LaunchRecord> launchesOf(const ProgramProfile& profile, const KernelProfile& kernel) {
  const std::size_t index = std::size_t(&kernel - profile.kernels.data());
  std::vector<LaunchRecord> launches;
  std::ranges::copy_if(profile.launches, std::back_inserter(launches),
                       [index](const LaunchRecord& launch) { return launch.kernel == index; });
  return launches;
}

/// Whether every launch has as many threads in such blocks, or those on top do nothing.
bool keepsThreads(const std::vector<LaunchRecord>& launches, const Extent& block,
                  const rewrite::tuning::FreeBlock& rule) {
  return std::ranges::all_of(launches, [&](const LaunchRecord& launch) {
    for (std::size_t axis = 0; axis < block.size(); ++axis) {
      const std::int64_t threads = std::int64_t{launch.grid[axis]} * launch.block[axis];
      if (threads % block[axis] != 0 && !rule.guarded[axis])
        return false;
    }
    return true;
  });
}

/// Why no other size is tried; empty: some are.
std::string whyOwnBlock(const SpaceRequest& request, const Extent& own) {
  if (request.asks)
    return "";
  if (!request.tunables.block)
    return request.tunables.block.error().reason;
  if (request.kernel.dynamicShared > 0)
    return "it is launched with dynamic shared memory";
  if (request.kernel.launches > ProgramProfile::mostLaunches)
    return "it is launched too often to look at every launch";
  if (own[2] > 1)
    return "its blocks have three axes";
  if (request.tunables.block->hasLanes && (own[1] > 1 || own[0] % warpSize != 0))
    return "lanes of a warp know of each other, and its blocks are not rows of whole warps";
  return "";
}

void addBlocks(const SpaceRequest& request, tune::Space& space, std::vector<std::string>& fixed) {
  const Extent own = space.ownBlock;
  if (const std::string why = whyOwnBlock(request, own); !why.empty()) {
    fixed.push_back(fmt::format("block: {}", why));
    return;
  }
  const std::vector<LaunchRecord> launches = launchesOf(request.profile, request.kernel);
  const int most =
      request.tunables.hasBounds ? int(profile::threadsOf(own)) : request.limits.threadsPerBlock;
  Parameter parameter{ParameterKind::Block, "block", {profile::writeExtent(own)}};
  bool leftSome = false;
  for (const Extent& block : tune::usualBlocks(own, most))
    if (request.asks || keepsThreads(launches, block, *request.tunables.block))
      parameter.values.push_back(profile::writeExtent(block));
    else
      leftSome = true;
  if (leftSome)
    fixed.push_back("block: sizes that do not divide the threads of every launch: no guard such as "
                    "'if (i >= n) return' keeps further threads from working");
  if (parameter.values.size() > 1)
    space.parameters.push_back(std::move(parameter));
}

void addBounds(const SpaceRequest& request, tune::Space& space, std::vector<std::string>& fixed) {
  if (request.tunables.hasBounds || !request.tunables.boundsAt) {
    fixed.emplace_back(request.tunables.hasBounds ? "bounds: it has __launch_bounds__ of its own"
                                                  : "bounds: its name comes from a macro");
    return;
  }
  Parameter parameter{ParameterKind::Resident, "resident", {"0"}};
  const int threads = request.limits.warps * warpSize;
  for (int quarters = 1; quarters <= 4; ++quarters)
    parameter.values.push_back(fmt::format("{}", threads * quarters / 4));
  space.parameters.push_back(std::move(parameter));
}

ParameterKind kindOf(rewrite::tuning::TunableKind kind) {
  switch (kind) {
  case rewrite::tuning::TunableKind::Policy:
    return ParameterKind::Policy;
  case rewrite::tuning::TunableKind::Regroup:
    return ParameterKind::Regroup;
  case rewrite::tuning::TunableKind::Unroll:
    break;
  }
  return ParameterKind::Unroll;
}

} // namespace

LargestLaunch largestLaunch(const ProgramProfile& profile, const KernelProfile& kernel) {
  LargestLaunch largest{kernel.grid, kernel.block,
                        profile::threadsOf(kernel.grid) * profile::threadsOf(kernel.block)};
  for (const LaunchRecord& launch : launchesOf(profile, kernel)) {
    const std::uint64_t threads =
        profile::threadsOf(launch.grid) * profile::threadsOf(launch.block);
    if (threads > largest.threads)
      largest = {launch.grid, launch.block, threads};
  }
  return largest;
}

tune::Space tuneSpace(const SpaceRequest& request, std::vector<std::string>& fixed) {
  tune::Space space;
  space.ownBlock = largestLaunch(request.profile, request.kernel).block;
  for (const rewrite::tuning::Tunable& tunable : request.tunables.tunables) {
    Parameter parameter{kindOf(tunable.kind), tunable.name(), {tunable.own}};
    parameter.values.insert(parameter.values.end(), tunable.others.begin(), tunable.others.end());
    space.parameters.push_back(std::move(parameter));
  }
  for (const MacroChoice& macro : request.macros) {
    Parameter parameter{ParameterKind::Macro, macro.name, {""}};
    parameter.values.insert(parameter.values.end(), macro.values.begin(), macro.values.end());
    space.parameters.push_back(std::move(parameter));
  }
  addBlocks(request, space, fixed);
  addBounds(request, space, fixed);
  sortStably(space.parameters, &Parameter::kind);
  return space;
}

tune::KernelFacts factsOf(const KernelProfile& kernel, const machine::Device& device,
                          std::uint64_t threads) {
  return {.limits = device.limits,
          .multiprocessors = device.multiprocessors,
          .shared = static_cast<int>(kernel.staticShared + kernel.dynamicShared),
          .bound = kernel.timing ? kernel.timing->bound() : profile::Bound::Issue,
          .threads = threads};
}

double partialStoreSeconds(const KernelProfile& kernel, const machine::Device& device) {
  constexpr double sectorBytes = 32, slower = 4.3, scattered = 1.01;
  if (!device.l2BytesPerCycle || kernel.memoryBlocks == 0)
    return 0;
  double sectors = 0;
  for (const profile::MemoryProfile& access : kernel.accesses)
    if (access.kind == profile::AccessKind::Store && access.space == profile::MemorySpace::Global &&
        double(access.transactions) > scattered * double(access.ideal))
      sectors += double(access.transactions);
  sectors *= double(kernel.blocks) / double(kernel.memoryBlocks);
  const double aCycle = *device.l2BytesPerCycle / sectorBytes / slower;
  return sectors / aCycle / (device.multiprocessorMHz * 1e6);
}

double furtherLineSeconds(const KernelProfile& kernel, const machine::Device& device) {
  constexpr double cyclesOfLine = 0.16;
  if (kernel.memoryBlocks == 0 || kernel.block[1] == 1 || kernel.block[0] >= warpSize)
    return 0;
  double loads = 0;
  for (const profile::MemoryProfile& access : kernel.accesses)
    if (access.kind == profile::AccessKind::Load && access.space == profile::MemorySpace::Global)
      loads += double(access.executions);
  loads *= double(kernel.blocks) / double(kernel.memoryBlocks);
  const double further = double(warpSize) / kernel.block[0] - 1;
  return loads * further * cyclesOfLine / device.multiprocessors / (device.multiprocessorMHz * 1e6);
}

std::map<std::string, tune::LoopFacts> loopFacts(const KernelProfile& kernel,
                                                 const rewrite::tuning::KernelTunables& tunables) {
  std::map<std::string, tune::LoopFacts> found;
  for (const rewrite::tuning::Tunable& tunable : tunables.tunables) {
    if (tunable.kind != rewrite::tuning::TunableKind::Policy || tunable.ways != 2)
      continue;
    const auto isChoice = [&](const profile::BranchProfile& branch) {
      return branch.site.where.file.ends_with("heddle/ways.cuh") &&
             std::ranges::any_of(branch.site.inlinedAt, [&](const profile::SourceLocation& at) {
               return at.line >= tunable.line && at.file.ends_with(".cu");
             });
    };
    const auto choice = std::ranges::find_if(kernel.branches, isChoice);
    if (choice == kernel.branches.end() || choice->laneExecutions() == 0)
      continue;
    const double turns = double(choice->laneExecutions());
    const double first = double(choice->lanes[0]) / turns;
    const double length = std::max(1.0, double(kernel.threadInstructions) / turns - 20);
    if (first > 0 && first < 1)
      found[tunable.name()] = {{first, 1 - first}, {length, length}};
  }
  return found;
}

} // namespace heddle::driver
