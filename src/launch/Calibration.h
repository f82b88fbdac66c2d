// SPDX-License-Identifier: Apache-2.0
//
// How the account of a launch differs from what its machine code executes (MachineSampler.h), and
// the account put right by it.
#pragma once

#include "engine/Launch.h"
#include "ptx/SourceLines.h"
#include "sassrun/SampleRun.h"

#include <optional>
#include <vector>

namespace heddle::launch {

struct Calibration {
  /// Shares of a line of the source in what the kernel executes, and of its lanes those that a
  /// predicate switches off.
  struct Line {
    ptx::SourceLine place;
    double executions = 0, lanes = 0, off = 0;
  };

  // Sums of machine code, as multiples of the engine's.
  double executions = 1, lanes = 1, on = 1; ///< the latter two of the engine's lanes
  /// Lane slots that were lost inside of what one instruction became, for each executed one.
  double inside = 0;
  std::vector<Line> lines; ///< in order
};

/// Nothing where the sample did not come to its end, or the engine did not run a block of it.
std::optional<Calibration> calibrationOf(const sassrun::SampleRun& sample,
                                         const engine::LaunchOutcome& outcome,
                                         const ptx::SourceLines& source);

/// Puts the account of a launch right. It adds up as before.
void apply(const Calibration& calibration, profile::KernelProfile& profile);

} // namespace heddle::launch
