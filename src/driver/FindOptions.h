// SPDX-License-Identifier: Apache-2.0
//
// From the places of a program that lose lanes to the rewrites that may be tried there.
#pragma once

#include "driver/FixSubject.h"
#include "rewrite/code/Edits.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// A rewrite of a place in one form.
struct Option {
  advise::Candidate candidate;
  std::string file;
  rewrite::Edits edits;
  profile::Tolerance tolerance;
  bool needsIndependence = false;
  bool reorders = false; ///< sums of floating-point numbers
  double promise = 0;    ///< of its speedup, from a model; the largest are tried first
};

/// Its candidate as one that is not applied.
advise::Candidate refused(const Option& option, const rewrite::RefusalKind& kind,
                          std::string reason);

struct FoundOptions {
  std::vector<Option> options{};
  std::vector<advise::Candidate> refusals{};
  std::vector<advise::LosingPlace> places{};
  std::size_t cheap = 0; ///< branches that lose hardly anything
};

/// Asks every rewrite for every place that loses enough.
FoundOptions findOptions(const FixSubject& subject);

} // namespace heddle::driver
