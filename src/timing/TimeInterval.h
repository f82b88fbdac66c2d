// SPDX-License-Identifier: Apache-2.0
//
// How far an estimated time may be off, as measured kernels have shown (TimeIntervals.def).
#pragma once

#include "profile/LaunchTiming.h"

#include <string_view>

namespace heddle::timing {

/// Nine of ten true times lie between these parts of what was estimated.
struct TimeInterval {
  double low = 1, high = 1;
};

/// `isMachineCode`: the steps are ptxas' own, of which more is known.
TimeInterval timeInterval(profile::TimeKind kind, bool isMachineCode);

/// The name of the device that the kernels were measured on.
std::string_view intervalDevice();

} // namespace heddle::timing
