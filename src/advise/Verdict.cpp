// SPDX-License-Identifier: Apache-2.0
#include "advise/Verdict.h"

#include <algorithm>
#include <array>

namespace heddle::advise {

bool fits(const Candidate& candidate) {
  static constexpr std::array ids = {
      "no-loop",       "not-alone",    "no-reduction-idiom",   "not-an-if", "not-on-thread-index",
      "not-top-level", "not-a-choice", "no-register-pressure", "one-group"};
  return std::ranges::find(ids, candidate.id) == ids.end();
}

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
