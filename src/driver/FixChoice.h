// SPDX-License-Identifier: Apache-2.0
//
// Asks the person at the terminal about each rewrite that pays: yes, no, show, all, quit.
#pragma once

#include "advise/Verdict.h"
#include "support/Terminal.h"

#include <cstdio>
#include <functional>
#include <string>

namespace heddle::driver {

/// Whether a rewrite is to be applied. `diff` is what it changes.
using Choose = std::function<bool(const advise::Candidate& candidate, const std::string& diff)>;

class FixChoice {
public:
  FixChoice(std::FILE* answers, std::FILE* questions, const TextStyle& style)
      : answers_(answers), questions_(questions), style_(style) {}

  bool operator()(const advise::Candidate& candidate, const std::string& diff);

private:
  enum class Rest { Ask, Take, Leave };
  /// The first letter of what was typed; 'q' at the end of it.
  char answer(const advise::Candidate& candidate) const;

  std::FILE* answers_;
  std::FILE* questions_;
  TextStyle style_;
  Rest rest_ = Rest::Ask; ///< what to do with those that are left
};

} // namespace heddle::driver
