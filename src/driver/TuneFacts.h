// SPDX-License-Identifier: Apache-2.0
//
// From a program's profile and source to what the search works on: the space of a kernel's
// configurations, and what models need to know of it.
#pragma once

#include "driver/TuneCommand.h"
#include "machine/Device.h"
#include "profile/ProgramProfile.h"
#include "rewrite/tuning/Tunables.h"
#include "tune/Pruning.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::driver {

/// The launch of a kernel with the most threads.
struct LargestLaunch {
  profile::Extent grid = {1, 1, 1}, block = {1, 1, 1};
  std::uint64_t threads = 0;
};
LargestLaunch largestLaunch(const profile::ProgramProfile& profile,
                            const profile::KernelProfile& kernel);

struct SpaceRequest {
  const profile::ProgramProfile& profile;
  const profile::KernelProfile& kernel;
  const rewrite::tuning::KernelTunables& tunables;
  const machine::SmLimits& limits;
  const std::vector<MacroChoice>& macros;
  bool asks = false; ///< its host code asks heddle::tuned() for the block: any will do
};
/// `fixed` gets what cannot be searched, and why.
tune::Space tuneSpace(const SpaceRequest& request, std::vector<std::string>& fixed);

tune::KernelFacts factsOf(const profile::KernelProfile& kernel, const machine::Device& device,
                          std::uint64_t threads);

/// Of the scheduled loops of two ways whose branch the profile has, by the tunable's name.
std::map<std::string, tune::LoopFacts>
loopFacts(const profile::KernelProfile& kernel, const rewrite::tuning::KernelTunables& tunables);

} // namespace heddle::driver
