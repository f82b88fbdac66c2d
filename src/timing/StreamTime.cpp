// SPDX-License-Identifier: Apache-2.0
#include "timing/StreamTime.h"

#include <algorithm>

namespace heddle::timing {

double secondsInStream(const machine::Device& device, double cycles, double overhead) {
  const double gap = device.launchGapMicroseconds.value_or(overhead);
  return std::max(overhead * 1e-6, gap * 1e-6 + cycles / (device.multiprocessorMHz * 1e6));
}

} // namespace heddle::timing
