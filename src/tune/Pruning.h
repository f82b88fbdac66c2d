// SPDX-License-Identifier: Apache-2.0
//
// What models say before anything is timed: a configuration that cannot be launched, that has too
// few warps to hide what the kernel waits for, or whose bounds change nothing; a policy that runs
// many more steps than another one.
#pragma once

#include "machine/SmLimits.h"
#include "profile/LaunchTiming.h"
#include "tune/Search.h"

namespace heddle::tune {

/// What is known of the kernel from its run as it is.
struct KernelFacts {
  machine::SmLimits limits;
  int multiprocessors = 1;
  int shared = 0; ///< bytes of a block
  profile::Bound bound = profile::Bound::Issue;
  std::uint64_t threads = 0; ///< of the largest launch
};

/// Of a scheduled loop, by the name of its parameter.
struct LoopFacts {
  std::vector<double> shares;  ///< of the turns, by way
  std::vector<double> lengths; ///< instructions, by way
};

/// By the occupancy model. `best` tells the registers of the code.
std::optional<Ruling> pruneByOccupancy(const KernelFacts& kernel, const Space& space,
                                       const Point& point, const Attempt& best);

/// By the model of iteration scheduling.
class PayoffPruning {
public:
  explicit PayoffPruning(std::map<std::string, LoopFacts> loops) : loops_(std::move(loops)) {}
  std::optional<Ruling> operator()(const Space& space, const Point& point);

private:
  /// Lane time of a turn, over that of lanes which all work.
  double costOf(const LoopFacts& loop, const std::string& policy);

  std::map<std::string, LoopFacts> loops_;
  std::map<std::string, double> known_; ///< by loop and policy
};

} // namespace heddle::tune
