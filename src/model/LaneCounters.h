// SPDX-License-Identifier: Apache-2.0
//
// One counter per lane, kept as bit planes: plane b holds bit b of all 32 counters. Adding one to
// the lanes of a mask is a ripple of carries, two operations a plane, instead of 32 additions.
//
// The counters start at 2^planes - n, so a lane that has counted to n carries out of the top plane.
//
//   lanes 2 and 0 counted, plane 0 was 0011b:   plane 0 = 0011 ^ 0101 = 0110, carry = 0011 & 0101 =
//   0001
#pragma once

#include "support/LaneMask.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

namespace heddle::model {

class LaneCounters {
public:
  /// Counts from 0 to n in every lane; needs n >= 1.
  explicit LaneCounters(std::uint32_t n)
      : planeCount_((std::bit_width(n - 1) + group - 1) / group * group) {
    assert(n >= 1 && "a loop of no iterations counts nothing");
    const std::uint64_t start = (std::uint64_t{1} << planeCount_) - n;
    for (int plane = 0; plane < planeCount_; ++plane)
      planes_[std::size_t(plane)] = (start >> plane & 1) != 0 ? allLanes : 0;
  }

  /// Counts one more in the given lanes and returns those that have reached n.
  LaneMask add(LaneMask lanes) {
    // A carry rarely goes far: look after every group of planes whether one is left.
    for (int first = 0; first < planeCount_ && lanes != 0; first += group)
      for (int plane = first; plane < first + group; ++plane) {
        const LaneMask carry = planes_[std::size_t(plane)] & lanes;
        planes_[std::size_t(plane)] ^= lanes;
        lanes = carry;
      }
    return lanes;
  }

  /// The lanes among `lanes` whose count is the smallest. Empty for no lanes.
  LaneMask least(LaneMask lanes) const {
    for (int plane = planeCount_ - 1; plane >= 0; --plane) {
      const LaneMask zeros = lanes & ~planes_[std::size_t(plane)];
      lanes = zeros != 0 ? zeros : lanes;
    }
    return lanes;
  }

private:
  static constexpr int group = 4;

  int planeCount_; ///< a multiple of group
  std::array<LaneMask, 32> planes_{};
};

} // namespace heddle::model
