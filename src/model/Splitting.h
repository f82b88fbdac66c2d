// SPDX-License-Identifier: Apache-2.0
//
// Carrillo, Siegel and Li's bound on what splitting a branch into one kernel per path can gain, and
// the share of warps in which a branch is mixed.
#pragma once

#include "support/Error.h"

#include <vector>

namespace heddle::model {

struct SplitPath {
  double time = 0;      ///< of the path in the branched kernel, any unit
  double occupancy = 0; ///< of the path in a kernel of its own, above 0 to 1
};

struct SplitBound {
  double branchedTime = 0; ///< T = sum t_i, every path run in every warp
  double splitTime = 0;    ///< sum t_i rho_min / rho_i + overhead
  double speedup = 0;      ///< branchedTime / splitTime
};

/// Eq. (1) of the paper with T = sum t_i, as its eq. (2) uses it; the text's T = sum t_i rho_i is a
/// slip that would give 1 for every kernel. Takes time to be proportional to 1/occupancy, which is
/// false on most modern kernels: an upper bound, not a prediction.
Expected<SplitBound> splitBound(const std::vector<SplitPath>& paths, double overhead);

/// Share of warps with lanes on both sides when each lane takes the else path with probability e:
/// 1 - (1-e)^32 - e^32.
Expected<double> mixedWarpShare(double elseShare);

} // namespace heddle::model
