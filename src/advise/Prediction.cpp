// SPDX-License-Identifier: Apache-2.0
#include "advise/Prediction.h"

#include "advise/GainInterval.h"

namespace heddle::advise {

void predict(Candidate& candidate, const profile::KernelProfile& kernel, double speedup) {
  const bool isBusy = kernel.timing && kernel.timing->bound() == profile::Bound::Issue;
  const GainInterval interval = gainInterval(candidate.rewrite, isBusy);
  candidate.predictedSpeedup = speedup;
  candidate.low = speedup * interval.low;
  candidate.high = speedup * interval.high;
}

Pays judge(const Candidate& candidate) {
  if (candidate.predictedSpeedup < leastGain)
    return Pays::No;
  return candidate.low < 1 ? Pays::TooClose : Pays::Yes;
}

} // namespace heddle::advise
