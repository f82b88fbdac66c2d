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
  std::string kernelFile; ///< FILE or FILE:NAME; empty: the numbers are given
  std::optional<int> threads, registers;
  machine::KernelResources kernel;  ///< all but threads and registers; of --kernel, what is added
  std::optional<std::int64_t> grid; ///< blocks of the launch
  std::string svgFile;              ///< empty: none
};

Expected<std::string> runOccupancy(const OccupancyOptions& options, const Output& output);

} // namespace heddle::driver
