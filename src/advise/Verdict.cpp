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

} // namespace heddle::advise
