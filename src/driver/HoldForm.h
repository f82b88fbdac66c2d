// SPDX-License-Identifier: Apache-2.0
//
// Another form of the program, run with every input and held against the original.
#pragma once

#include "advise/Verdict.h"
#include "driver/FixSubject.h"

#include <optional>

namespace heddle::driver {

struct Held {
  std::optional<TrialDifference> difference; ///< nothing: equal for every input
  advise::Proof proof{};
  profile::ProgramProfile after{}; ///< with the first input
  profile::Tolerance largest{};    ///< relative difference within the tolerance
};

/// Runs it up to the first input that makes a difference. An error: it does not build or run.
Expected<Held> holdAgainstOriginal(const FixSubject& subject, const ChangedFiles& files,
                                   const profile::Tolerance& tolerance);

} // namespace heddle::driver
