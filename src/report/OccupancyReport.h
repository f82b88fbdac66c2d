// SPDX-License-Identifier: Apache-2.0
//
// Occupancy of a kernel as text, JSON and SVG.
#pragma once

#include "machine/DeviceCatalog.h"
#include "machine/LaunchAdvice.h"
#include "machine/Occupancy.h"
#include "machine/OccupancyAdvice.h"
#include "profile/RegisterUse.h"
#include "support/Terminal.h"

#include <optional>
#include <string>

namespace heddle::report {

/// A kernel that was read from a file, and what was found in it.
struct OccupancySource {
  std::string file, kernel;
  profile::RegisterSource registers;
  int spillBytes = 0;   ///< of each thread
  int staticShared = 0; ///< bytes
};

struct OccupancyFindings {
  machine::Target target;
  machine::KernelResources kernel;
  machine::Occupancy occupancy;
  machine::OccupancyAdvice advice;
  std::optional<machine::LaunchAdvice> launch; ///< where the GPU is known
  std::optional<OccupancySource> source;       ///< of the resources, where it is a file
};

std::string occupancyText(const OccupancyFindings& findings, const TextStyle& style);
std::string occupancyJson(const OccupancyFindings& findings);

/// The three curves of NVIDIA's calculator with this kernel marked on each.
std::string occupancySvg(const OccupancyFindings& findings);

} // namespace heddle::report
