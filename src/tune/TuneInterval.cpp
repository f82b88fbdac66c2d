// SPDX-License-Identifier: Apache-2.0
#include "tune/TuneInterval.h"

#include <string_view>

namespace heddle::tune {

TuneInterval tuneInterval(bool isBusy) {
  TuneInterval busy, waiting;
#define HEDDLE_TUNE_INTERVAL(kind, low, high, count)                                               \
  (std::string_view(kind) == "busy" ? busy : waiting) = {low, high};
#include "tune/TuneIntervals.def"
#undef HEDDLE_TUNE_INTERVAL
  return isBusy ? busy : waiting;
}

} // namespace heddle::tune
