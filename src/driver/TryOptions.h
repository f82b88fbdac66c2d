// SPDX-License-Identifier: Apache-2.0
//
// All options of a search, as many at once as there are cores: which of them pay.
#pragma once

#include "driver/FixBundle.h"
#include "driver/TryOption.h"

#include <vector>

namespace heddle::driver {

struct Tried {
  std::vector<Attempt> paying{}; ///< those that save most first
  std::vector<advise::Candidate> refusals{};
  std::vector<ProvenForm> forms{}; ///< that are right and may pay
};

/// What promises most is tried first, until most of the time is spent; the rest is for what comes
/// after it. Once the search is stopped nothing more is begun, and what ran is nobody's fault.
Tried tryOptions(const FixSubject& subject, std::vector<Option> options, const SearchEnd& end,
                 const ProgramTrials::Report& report);

} // namespace heddle::driver
