// SPDX-License-Identifier: Apache-2.0
//
// A loop whose items go to the next free place of a list, all or those that a condition chooses:
//
//   if (v[k] > 0) { out[count] = v[k]; count++; }      if (v[k] > 0) list[count++] = k;
//
// How many came before tells each its place.
#pragma once

#include "rewrite/rows/RowLoop.h"

#include <optional>
#include <string>

namespace heddle::rewrite {

struct AppendLoop {
  const clang::VarDecl* count = nullptr;
  std::string value; ///< whether the item goes there, as 1 or 0: lines without indentation
  std::string store; ///< what it does with its place
};

/// Nothing: it is no such loop, or other items may store there, too.
std::optional<AppendLoop> readAppendLoop(const Source& source, const RowLoop& loop);

} // namespace heddle::rewrite
