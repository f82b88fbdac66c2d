// SPDX-License-Identifier: Apache-2.0
//
// One rewritten form of a program, run and held against the original: whether it is right, and
// whether it pays.
#pragma once

#include "driver/FindOptions.h"
#include "driver/HoldForm.h"

#include <mutex>
#include <optional>

namespace heddle::driver {

/// An option that was tried.
struct Attempt {
  Option option;
  std::optional<advise::Candidate> refusal{}; ///< nothing: it pays
  Held held{};
  double saved = 0; ///< estimated seconds, of the whole program
};

/// The program as it is without fused multiply-adds: run once, when the first asks for it.
class UnfusedOriginal {
public:
  /// nullptr: it does not build or run.
  const Trial* get(ProgramTrials& trials);

private:
  std::mutex mutex_;
  std::optional<Trial> trial_;
};

/// Several may be tried at once.
Attempt tryOption(const FixSubject& subject, Option option, UnfusedOriginal& unfused);

} // namespace heddle::driver
