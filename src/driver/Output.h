// SPDX-License-Identifier: Apache-2.0
//
// How a command is to answer. Commands return what goes to standard output and write files
// themselves; nothing is printed before a command has succeeded.
#pragma once

#include "support/Terminal.h"

#include <string>
#include <utility>

namespace heddle::driver {

struct Output {
  bool json = false;
  TextStyle style{false};
  bool colorErrors = false; ///< what a compiler prints to standard error
};

inline constexpr int faultStatus = 2; ///< the program or kernel that ran had a fault

/// What a command has to say: mostly its result. One that ran a program may also complain, after
/// the result, and end with the program's own status.
struct Answer {
  Answer() = default;
  Answer(std::string result) : text(std::move(result)) {}
  Answer(std::string result, std::string problem, int exitStatus)
      : text(std::move(result)), complaint(std::move(problem)), status(exitStatus) {}

  std::string text;
  std::string complaint{}; ///< for standard error; empty: none
  bool exact = false;      ///< the text is for programs too: a diff, whose bytes must stay
  int status = 0;
};

} // namespace heddle::driver
