// SPDX-License-Identifier: Apache-2.0
//
// Which steps the test of an item and its work need. What both need is computed twice.
#pragma once

#include "rewrite/code/Effects.h"
#include "rewrite/compact/Guard.h"

#include <set>

namespace heddle::rewrite::compact {

/// Numbers of steps.
struct Needs {
  std::set<std::size_t> test; ///< and of whatever else is done for an item without work
  std::set<std::size_t> work;

  bool any(std::size_t step) const { return test.contains(step) || work.contains(step); }
};

/// `worker`: the way that is the work; `given`: a variable that both get, or nullptr.
Needs findNeeds(const Guard& guard, std::size_t worker, const clang::VarDecl* given);

} // namespace heddle::rewrite::compact
