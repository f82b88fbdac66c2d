// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA's version number of a GPU's programming model, such as 9.0.
#pragma once

#include "support/Error.h"

#include <compare>
#include <string>
#include <string_view>

namespace heddle::machine {

struct ComputeCapability {
  int major = 0;
  int minor = 0;

  auto operator<=>(const ComputeCapability&) const = default;
  int number() const { return 10 * major + minor; } ///< of sm_90
  std::string text() const { return fmt::format("{}.{}", major, minor); }
};

/// Reads "9.0", "cc9.0", "sm_90" or "sm_120".
Expected<ComputeCapability> parseComputeCapability(std::string_view text);

/// Whether a text is meant as a compute capability and not as a name: starts with cc, sm_ or a
/// digit and holds nothing but digits and one dot after that.
bool looksLikeComputeCapability(std::string_view text);

} // namespace heddle::machine
