// SPDX-License-Identifier: Apache-2.0
//
// All configurations of a kernel: some parameters, each with a few values.
#pragma once

#include "tune/Configuration.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace heddle::tune {

/// In the order in which they are searched: what changes the code most comes first, since the best
/// block and the registers depend on it.
enum class ParameterKind { Policy, Regroup, Macro, Unroll, Block, Resident };

struct Parameter {
  ParameterKind kind = ParameterKind::Block;
  std::string name; ///< "block", "unroll:12", the macro's name
  /// The first is the kernel as it is. Of Resident: threads of a multiprocessor for which the
  /// compiler is to leave registers, "0" for whatever comes.
  std::vector<std::string> values;
};

/// One value of each parameter, by index.
using Point = std::vector<std::size_t>;

struct Space {
  std::vector<Parameter> parameters; ///< ordered by kind
  profile::Extent ownBlock = {1, 1, 1};
  /// What macros make of it, by the values of the macros: known once such a program has run.
  std::map<Point, profile::Extent> blockByMacros{};

  std::size_t size() const;
  Point own() const { return Point(parameters.size(), 0); }
  /// Values that are as the kernel is are left out.
  Configuration configurationOf(const Point& point) const;
  /// The block that a point launches, given or own.
  profile::Extent blockOf(const Point& point) const;
  void learnBlock(const Point& point, const profile::Extent& block);
  /// Threads of a multiprocessor that __launch_bounds__ asks for; 0: it does not.
  int residentOf(const Point& point) const;
  /// The values of the macros alone.
  Point macrosOf(const Point& point) const;
  /// Every one, the program as it is first; before each with bounds the same without.
  std::vector<Point> all() const;
};

/// Sizes of a block that are worth a try where any will do, besides its own.
std::vector<profile::Extent> usualBlocks(const profile::Extent& own, int mostThreads);

} // namespace heddle::tune
