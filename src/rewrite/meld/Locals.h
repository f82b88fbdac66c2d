// SPDX-License-Identifier: Apache-2.0
//
// Variables that the arms declare, once their parts are no longer in two blocks: those that live
// from one part to another are declared in front, those that stand for each other become one, and
// every name must still mean what it meant.
#pragma once

#include "rewrite/code/Edits.h"
#include "rewrite/code/Refusal.h"
#include "rewrite/meld/Arms.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::rewrite::meld {

struct Locals {
  std::vector<std::string> declarations;      ///< for in front
  Edits edits;                                ///< of the arms: declarations that moved
  std::map<std::string, std::string> renamed; ///< in what is left of the other arm
  std::set<std::string> names;                ///< that are visible to all parts
};

/// Refuses with: unhoistable-declaration, macro-in-the-way.
Legal<Locals> joinLocals(const Source& source, const Arms& arms);

} // namespace heddle::rewrite::meld
