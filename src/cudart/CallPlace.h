// SPDX-License-Identifier: Apache-2.0
//
// Which line of the program called us.
#pragma once

#include "profile/KernelProfile.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace heddle::cudart {

/// Addresses of the program's code, innermost first. Cheap to take, dear to look up.
struct CallPlace {
  static constexpr std::size_t mostFrames = 6;

  std::array<std::uintptr_t, mostFrames> frames = {};
  const char* function = nullptr; ///< of the API; where it is known

  /// Of the caller of the API.
  static CallPlace here();

  /// The first line that is the user's own: neither a launch stub nor a header of ours.
  profile::SourceLocation find() const;

  bool operator==(const CallPlace& other) const { return frames == other.frames; }
};

/// "FILE:LINE: " of the program's line that called us, or nothing where it is not known.
std::string callersPlace();

} // namespace heddle::cudart
