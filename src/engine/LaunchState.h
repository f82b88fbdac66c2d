// SPDX-License-Identifier: Apache-2.0
//
// What the threads that run one launch share.
#pragma once

#include "engine/Counters.h"
#include "engine/Launch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::engine {

/// How the thread blocks differ in the instructions of their warps. Whole numbers, so that the
/// order does not matter in which they come.
struct BlockSizes {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  unsigned __int128 squares = 0;

  void add(std::uint64_t instructions) {
    ++count;
    sum += instructions;
    squares += static_cast<unsigned __int128>(instructions) * instructions;
  }
  void add(const BlockSizes& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
  }
  /// Standard deviation as a share of the mean.
  double variation() const {
    if (sum == 0)
      return 0;
    const double mean = double(sum) / double(count);
    return std::sqrt(std::max(0.0, double(squares) / double(count) / (mean * mean) - 1));
  }
};

/// One of our threads.
struct Worker {
  explicit Worker(const CompiledKernel& kernel) : counters(kernel) {}

  Counters counters;
  BlockSizes blockSizes;
  std::vector<std::pair<std::int64_t, std::string>> printed; ///< by block
  bool alone = false;                                        ///< there is no other
};

/// By site and beginning of the allocation.
using TouchedBySite = std::map<std::pair<std::uint32_t, std::uint64_t>, profile::TouchedMemory>;

struct LaunchState {
  const CompiledKernel& kernel;
  const LaunchRequest& request;
  const DeviceMemory& memory;
  const LaunchSettings& settings;

  std::atomic<std::uint64_t> instructions = 0; ///< of warps, from long ones now and then
  std::atomic<std::int64_t> blocksDone = 0;
  std::atomic<std::uint64_t> longestWarp = 0; ///< instructions
  std::atomic<bool> stopped = false;

  std::mutex mutex;
  std::optional<Fault> fault; ///< the first
  std::vector<profile::BlockTrace> traces;
  TouchedBySite touched;

  /// Memory instructions count in all blocks of a small grid, and in some of a large one.
  bool countsBlock(std::int64_t number) const { return number % countEvery == 0; }
  /// Of the blocks that count, those whose warps are traced for long.
  bool isDeep(std::int64_t number) const { return number / countEvery % deepEvery == 0; }
  std::int64_t countEvery = 1;
  std::int64_t deepEvery = 1;

  void stop(Fault reason) {
    const std::scoped_lock lock(mutex);
    if (!fault)
      fault = std::move(reason);
    stopped = true;
  }
};

} // namespace heddle::engine
