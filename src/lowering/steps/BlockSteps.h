// SPDX-License-Identifier: Apache-2.0
//
// The steps of a basic block as the model lowers it.
#pragma once

#include "profile/KernelTrace.h"

#include <optional>
#include <vector>

namespace heddle::lowering {

struct BlockSteps {
  std::vector<profile::Step> own;
  /// Where lanes are switched off in place of a jump: its steps and those of both sides in one
  /// sequence, or nothing for a block that is in another one's.
  std::optional<std::vector<profile::Step>> issued;

  /// What a warp issues when it runs the block.
  const std::vector<profile::Step>& run() const { return issued ? *issued : own; }
};

} // namespace heddle::lowering
