// SPDX-License-Identifier: Apache-2.0
//
// The texts of the three functions that do an item.
#pragma once

#include "rewrite/code/Declarations.h"
#include "rewrite/refill/ItemLoop.h"

#include <string>

namespace heddle::rewrite::refill {

struct PartsText {
  Range moved;                           ///< of the file: all that the call takes the place of
  std::vector<std::string> declarations; ///< of what an item carries from part to part
  std::string setup, turn, finish;       ///< bodies, indented by nothing
};

/// `written`: the kernel as it stands in the file, which may be a template.
/// Refuses with: macro-in-the-way, value-returned, unhoistable-declaration.
Legal<PartsText> writeParts(const Source& source, const ItemLoop& written);

} // namespace heddle::rewrite::refill
