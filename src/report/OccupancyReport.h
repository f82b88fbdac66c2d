// SPDX-License-Identifier: Apache-2.0
//
// Occupancy of a kernel as text, JSON and SVG.
#pragma once

#include "machine/DeviceCatalog.h"
#include "machine/LaunchAdvice.h"
#include "machine/Occupancy.h"
#include "machine/OccupancyAdvice.h"
#include "support/Terminal.h"

#include <optional>
#include <string>

namespace heddle::report {

struct OccupancyFindings {
  machine::Target target;
  machine::KernelResources kernel;
  machine::Occupancy occupancy;
  machine::OccupancyAdvice advice;
  std::optional<machine::LaunchAdvice> launch; ///< where the GPU is known
};

std::string occupancyText(const OccupancyFindings& findings, const TextStyle& style);
std::string occupancyJson(const OccupancyFindings& findings);

/// The three curves of NVIDIA's calculator with this kernel marked on each.
std::string occupancySvg(const OccupancyFindings& findings);

} // namespace heddle::report
