// SPDX-License-Identifier: Apache-2.0
//
// What makes two profiles differ too much: "efficiency<-2%", "time>5%", "registers>8".
#pragma once

#include "profile/ProfileDiff.h"
#include "support/Error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::profile {

/// The change of a metric from before to after is below or above a bound.
struct DiffCondition {
  std::string text; ///< as the user wrote it
  Metric metric = Metric::Efficiency;
  bool isAbove = false;
  double bound = 0;
  bool isPercent = false; ///< of what it was before; of shares percentage points

  /// The change as the condition measures it; nothing where a value is not known.
  std::optional<double> changeIn(const KernelPair& pair) const;
  bool holdsFor(const KernelPair& pair) const;
};

/// One condition.
Expected<DiffCondition> parseDiffCondition(std::string_view text);

/// A condition that holds for a kernel.
struct HeldCondition {
  const DiffCondition* condition;
  const KernelPair* pair;
  double change;
};

std::vector<HeldCondition> heldConditions(const std::vector<DiffCondition>& conditions,
                                          const std::vector<KernelPair>& pairs);

} // namespace heddle::profile
