// SPDX-License-Identifier: Apache-2.0
//
// Registers of a kernel, and who says so.
#pragma once

#include <string>

namespace heddle::profile {

inline constexpr const char* givenSource = "given";

struct RegisterUse {
  int registers = 0;  ///< 32-bit ones, of each thread
  int spillBytes = 0; ///< of each thread: what did not fit and went to local memory
  /// "ptxas"; "ptxas sm_75" where it knows no older GPU; "estimate" from the IR; "given" by the
  /// user
  std::string source = "estimate";
};

} // namespace heddle::profile
