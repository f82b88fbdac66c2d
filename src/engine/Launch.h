// SPDX-License-Identifier: Apache-2.0
//
// Runs a grid: as many blocks at once as the modelled device holds, on all cores.
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/DeviceMemory.h"
#include "engine/Fault.h"
#include "engine/LaunchTouches.h"
#include "engine/WarpRecorder.h"
#include "profile/KernelProfile.h"
#include "profile/Stray.h"
#include "support/Error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::engine {

/// What lanes of a warp owe each other after a divergent branch.
enum class Reconvergence {
  Stack, ///< before Volta: a side of a branch runs up to the join before the other one does
  Volta, ///< from 7.0 on: every lane makes progress
};

struct LaunchRequest {
  std::array<int, 3> grid = {1, 1, 1};
  std::array<int, 3> block = {1, 1, 1};
  std::size_t dynamicShared = 0;
  std::vector<std::byte> arguments;       ///< laid out as CompiledKernel says
  std::array<int, 3> cluster = {1, 1, 1}; ///< blocks of one, by which the grid can be divided
  bool asksForClusters = false;           ///< by its kernel or launch, be it for those of one block

  std::int64_t blocks() const { return std::int64_t{grid[0]} * grid[1] * grid[2]; }
  /// Of a block.
  std::int64_t threads() const { return std::int64_t{block[0]} * block[1] * block[2]; }
  int clusterBlocks() const { return cluster[0] * cluster[1] * cluster[2]; }
};

/// A launch that device code asks for. It is to begin when the grid that asks has ended.
struct DeviceLaunch {
  static constexpr std::uint64_t tailStream = 3; ///< cudaStreamTailLaunch: behind all others

  std::string kernel; ///< its symbol
  LaunchRequest request;
  std::uint64_t stream = 0;
  std::string where; ///< "file:line: kernel 'parent': ", for messages
};

struct LaunchProgress {
  std::int64_t blocksDone = 0;
  std::int64_t blocks = 0;
  std::uint64_t threadInstructions = 0;
};

/// Blocks of a grid that somebody wants to know more of.
struct BlockSample {
  std::vector<std::int64_t> blocks; ///< in order
  /// Called before one of them begins, by the worker that runs it.
  std::function<void(std::int64_t block)> before;

  bool has(std::int64_t block) const { return std::ranges::binary_search(blocks, block); }
};

struct LaunchSettings {
  Reconvergence reconvergence = Reconvergence::Volta;
  std::int64_t residentBlocks = 4096; ///< that make progress together
  std::uint64_t mostInstructions = std::numeric_limits<std::uint64_t>::max(); ///< of warps
  std::size_t stackBytes = 32 * 1024; ///< most that a thread's recursive calls may take
  int workers = 0;                    ///< threads of ours; 0 for one per core
  bool account = true;                ///< false only to measure what the account costs
  LaunchTouches* touches = nullptr;   ///< what to find out about memory accesses
  WarpRecorder* recorder = nullptr;   ///< of the kernel: keeps a few of its warps in full
  /// An access outside of live memory, but close to it, is noted and no fault: a load gets 0, a
  /// store or an atomic changes nothing.
  bool letsStraysPass = false;
  /// Blocks begin with the last one of the grid, where none waits for another: atomic sums of
  /// floats come in another order then.
  bool backwards = false;
  bool fixedClock = false; ///< a thread's clocks tell only how often it has read them
  unsigned char fresh = 0; ///< each byte of shared and local memory that nobody wrote
  BlockSample sample = {}; ///< whose instructions are wanted one by one
  int multiprocessors = 1; ///< of the device, which blocks go to in turn
  int grid = 1;            ///< number of the launch, which device code may ask
  /// Called a few times a second from one of the workers.
  std::function<void(const LaunchProgress&)> progress;
  /// What device printf printed, in order of blocks.
  std::function<void(std::string_view)> print;
  const std::atomic<bool>* stop = nullptr; ///< set by Ctrl-C
};

/// What the account counts for one block of the grid.
struct BlockInstructions {
  std::uint64_t ofWarps = 0, ofLanes = 0;
};

struct LaunchOutcome {
  profile::KernelProfile profile;
  profile::KernelTrace trace;         ///< of some blocks, all of a small grid
  std::optional<Fault> fault;         ///< the profile holds what ran until then
  std::vector<DeviceLaunch> children; ///< by block, in the order in which it asked
  std::map<std::int64_t, BlockInstructions> sampled = {}; ///< by block, those asked for
  std::vector<profile::Stray> strays = {}; ///< that passed, by place; of a launch without a fault
};

/// Refuses impossible sizes. An access outside `memory`, the block's own memory and the arguments
/// ends in a fault, or passes as the settings say.
Expected<LaunchOutcome> launch(const CompiledKernel& kernel, const LaunchRequest& request,
                               const DeviceMemory& memory, const LaunchSettings& settings);

} // namespace heddle::engine
