// SPDX-License-Identifier: Apache-2.0
//
// The points of a sweep: each is one command line of heddle. What is wrong with one of them is said
// of that one, and the others stay.
#pragma once

#include "sweep/SpecFile.h"

#include <string>
#include <vector>

namespace heddle::sweep {

struct Point {
  Row inputs = Row::object();
  std::vector<std::string> command{}; ///< words of heddle; empty where it is refused
  std::string key{};                  ///< the same for the same command on the same sources
  std::string refusal{};              ///< why it cannot be run; empty: it can
};

struct Points {
  std::vector<Point> points;
  std::vector<std::string> problems; ///< of the spec as a whole; the rest goes on
};

/// The grid's points, the last parameter varying fastest, then those of the list. An error where
/// there is no point at all.
Expected<Points> expandPoints(const Spec& spec);

/// A value as it stands in a command line, "0.1"; the texts of a list with spaces between.
std::string valueText(const Value& value);

} // namespace heddle::sweep
