// SPDX-License-Identifier: Apache-2.0
#include "model/Splitting.h"

#include "model/Branching.h"
#include "support/LaneMask.h"

#include <algorithm>
#include <cmath>

namespace heddle::model {

Expected<SplitBound> splitBound(const std::vector<SplitPath>& paths, double overhead) {
  if (paths.size() < 2)
    return fail(ErrorKind::BadInput, "{} paths: splitting needs at least 2", paths.size());
  if (!(overhead >= 0) || overhead > longestTime)
    return fail(ErrorKind::BadInput, "overhead {}: expected 0 to {:g}", overhead, longestTime);
  for (const SplitPath& path : paths) {
    if (!(path.time > 0) || path.time > longestTime)
      return fail(ErrorKind::BadInput, "path time {}: expected above 0, at most {:g}", path.time,
                  longestTime);
    if (!(path.occupancy > 0) || path.occupancy > 1)
      return fail(ErrorKind::BadInput, "occupancy {}: expected above 0, at most 1", path.occupancy);
  }
  const double lowest = std::ranges::min_element(paths, {}, &SplitPath::occupancy)->occupancy;
  SplitBound bound;
  bound.splitTime = overhead;
  for (const SplitPath& path : paths) {
    bound.branchedTime += path.time;
    bound.splitTime += path.time * lowest / path.occupancy;
  }
  bound.speedup = bound.branchedTime / bound.splitTime;
  return bound;
}

Expected<double> mixedWarpShare(double elseShare) {
  if (!(elseShare >= 0) || elseShare > 1)
    return fail(ErrorKind::BadInput, "probability {}: expected 0 to 1", elseShare);
  return 1 - std::pow(1 - elseShare, warpSize) - std::pow(elseShare, warpSize);
}

} // namespace heddle::model
