// SPDX-License-Identifier: Apache-2.0
//
// Adds the time on a modelled GPU to the profile of a launch: registers, occupancy, the estimate,
// and lost lanes in cycles.
#pragma once

#include "machine/Device.h"
#include "machine/ResidentBlocks.h"
#include "profile/KernelTrace.h"
#include "profile/Timeline.h"
#include "timing/CacheContents.h"
#include "timing/Estimate.h"
#include "timing/ModelFault.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace heddle::timing {

/// Times the launches of a program one after the other. A program that launches the same kernel
/// thousands of times is not replayed each time: from some amount of work on, a launch with about
/// as many instructions as an earlier one takes its time, in proportion.
class LaunchTimer {
public:
  explicit LaunchTimer(const machine::Device& device, ModelFault fault = ModelFault::None)
      : device_(device), fault_(fault), cache_(device) {}

  /// Fills in `timing` and the branches' `lostCycles`. `executed`: instructions of the machine
  /// for each that the account has, where they were counted.
  void time(profile::KernelTrace trace, const profile::RegisterUse& registers,
            const machine::Residency& residency, profile::KernelProfile& launch,
            double executed = 0);

  /// From now on launches also have a timeline.
  void keepTimelines() { keepsTimelines_ = true; }
  /// Of the launch that was timed last; nothing where it took the time of an earlier one.
  std::optional<profile::Timeline> takeTimeline() { return std::exchange(timeline_, {}); }

  /// Seconds of a copy inside the device, or of a fill.
  double secondsToMove(std::span<const Region> regions);
  /// The host wrote there.
  void receive(const Region& region) { cache_.use({&region, 1}); }

private:
  using Key = std::tuple<std::string, std::array<int, 3>, std::array<int, 3>, int>;
  struct Known {
    profile::LaunchTiming timing;
    std::uint64_t instructions = 0;
    std::uint64_t launches = 0;
  };

  profile::LaunchTiming timingOrFaulty(const profile::KernelTrace& trace, const Key& key,
                                       const machine::Residency& residency,
                                       const profile::KernelProfile& launch, double executed);
  profile::LaunchTiming timingOf(const profile::KernelTrace& trace, const Key& key,
                                 LaunchShape launch);

  const machine::Device& device_;
  const ModelFault fault_;
  CacheContents cache_;
  std::map<Key, Known> known_;
  std::uint64_t replayed_ = 0;
  bool keepsTimelines_ = false;
  std::optional<profile::Timeline> timeline_;
};

} // namespace heddle::timing
