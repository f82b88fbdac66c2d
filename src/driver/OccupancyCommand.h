// SPDX-License-Identifier: Apache-2.0
//
// heddle occupancy
#pragma once

#include "driver/Output.h"
#include "machine/Occupancy.h"
#include "support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::driver {

struct OccupancyOptions {
  std::string device = "h200";
  machine::KernelResources kernel;
  std::optional<std::int64_t> grid; ///< blocks of the launch
  std::string svgFile;              ///< empty: none
};

Expected<std::string> runOccupancy(const OccupancyOptions& options, const Output& output);

} // namespace heddle::driver
