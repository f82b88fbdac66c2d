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

/// Seconds that the L2 takes to write parts of sectors, of which the model of a launch knows only
/// the bytes: on an H200 it takes 32 of them a cycle, a quarter of the sectors it reads. 0: not
/// known.
double partialStoreSeconds(const profile::KernelProfile& kernel, const machine::Device& device);

/// Seconds that the L1 takes to look for the lines of a warp whose threads sit in several rows of a
/// block: 16x16 has two, 8x32 four. On an H200 a further line takes a sixth of a cycle.
double furtherLineSeconds(const profile::KernelProfile& kernel, const machine::Device& device);

/// Of the scheduled loops of two ways whose branch the profile has, by the tunable's name.
std::map<std::string, tune::LoopFacts> loopFacts(const profile::KernelProfile& kernel,
                                                 const rewrite::tuning::KernelTunables& tunables);

} // namespace heddle::driver
