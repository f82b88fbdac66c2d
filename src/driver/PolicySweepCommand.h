// SPDX-License-Identifier: Apache-2.0
//
// heddle schedule simulate --all: every policy over a sweep of p
#pragma once

#include "driver/Output.h"
#include "report/SweepReport.h"
#include "support/Error.h"
#include "support/Progress.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::driver {

struct PolicySweepOptions {
  std::optional<int> iterations; ///< nothing: 100 and 1000, as in the figures
  int warps = 2000;
  std::uint64_t seed = 1;
  int beam = 300;
  std::string svgFolder; ///< empty: no pictures
};

/// The data alone, for benchmarks and studies.
Expected<report::SweepFindings> computePolicySweep(const PolicySweepOptions& options,
                                                   Progress& progress);

Expected<std::string> runPolicySweep(const PolicySweepOptions& options, const Output& output);

} // namespace heddle::driver
