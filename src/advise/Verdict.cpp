// SPDX-License-Identifier: Apache-2.0
#include "advise/Verdict.h"

namespace heddle::advise {

void withdraw(Fix& fix, const std::string& id, const std::string& reason) {
  for (Candidate& candidate : fix.candidates)
    if (candidate.applies) {
      candidate.applies = false;
      candidate.id = id;
      candidate.reason = reason;
    }
  fix.applied.clear();
  fix.before = fix.after = {};
  fix.diff.clear();
  fix.proof = {.nvcc = fix.proof.nvcc, .nvccVersion = fix.proof.nvccVersion};
}

} // namespace heddle::advise
