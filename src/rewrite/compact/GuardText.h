// SPDX-License-Identifier: Apache-2.0
//
// The texts of the two functions that take the place of a guard and its work.
#pragma once

#include "rewrite/compact/Legality.h"

#include <string>

namespace heddle::rewrite::compact {

struct GuardText {
  Range moved;      ///< of the file: all that the call takes the place of
  std::string test; ///< the bodies of the functions, indented by nothing
  std::string work;
};

/// `written`: the kernel as it stands in the file, which may be a template.
/// Refuses with: macro-in-the-way.
Legal<GuardText> writeFunctions(const Source& source, const Guard& written, const Plan& plan);

} // namespace heddle::rewrite::compact
