// SPDX-License-Identifier: Apache-2.0
//
// How far a predicted speedup may be off, as measured rewrites have shown (GainIntervals.def).
#pragma once

#include <string_view>

namespace heddle::advise {

/// Nine of ten true gains lie between these parts of what was predicted.
struct GainInterval {
  double low = 1, high = 1;
};

/// `isBusy`: the kernel is bound by issue, not by waiting, of which models know less.
GainInterval gainInterval(std::string_view rewrite, bool isBusy);

} // namespace heddle::advise
