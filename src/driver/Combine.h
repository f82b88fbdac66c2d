// SPDX-License-Identifier: Apache-2.0
//
// Rewrites that pay alone, put together: the best first, as long as they do not touch the same
// lines and together are faster still.
#pragma once

#include "driver/FixChoice.h"
#include "driver/RewrittenFiles.h"
#include "driver/TryOption.h"

#include <vector>

namespace heddle::driver {

struct Together {
  FileEdits edits{};
  profile::Tolerance tolerance{}; ///< the largest of theirs
  double saved = 0;               ///< seconds
  Held held{};
  std::vector<advise::Candidate> chosen{};
};

struct Combined {
  Together together{};
  std::vector<advise::Candidate> refusals{}; ///< of those that were left out
};

/// `choose` is asked for each; without it all are taken.
Combined combine(const FixSubject& subject, std::vector<Attempt> paying, const Choose& choose,
                 const SearchEnd& end);

} // namespace heddle::driver
