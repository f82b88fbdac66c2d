// SPDX-License-Identifier: Apache-2.0
//
// How far a predicted gain of another configuration may be off, as measured kernels have shown
// (TuneIntervals.def).
#pragma once

namespace heddle::tune {

/// Nine of ten true gains lie between these parts of what was predicted.
struct TuneInterval {
  double low = 1, high = 1;
};

/// `isBusy`: the kernel is bound by issue, not by waiting, of which the model knows less.
TuneInterval tuneInterval(bool isBusy);

} // namespace heddle::tune
