// SPDX-License-Identifier: Apache-2.0
//
// Accesses outside of live memory, in a run that lets them pass: a load gets 0, a store is dropped.
// On a GPU such an access usually gets something and the kernel goes on.
#pragma once

#include "profile/KernelProfile.h"
#include "profile/Site.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::profile {

/// Where an access is from the memory that it leaves.
enum class StraySide { Behind, Before, Outside };

/// All that one instruction did beyond one end of one piece of memory.
struct Stray {
  std::string kernel; ///< its name, to show
  SourceLocation where;
  AccessKind kind = AccessKind::Load;
  std::string memory; ///< "cudaMalloc #2 (400 bytes)"
  StraySide side = StraySide::Behind;
  std::uint64_t bytes = 0; ///< of one access
  std::uint64_t reach = 0; ///< bytes from that end to the farthest one that was touched
  std::uint64_t count = 0; ///< accesses of lanes
  std::array<int, 3> block{}, thread{}; ///< the first one that did it, in the first such launch
};

/// "reads 1 element of 4 bytes behind cudaMalloc #2 (400 bytes), 128 times"
std::string strayText(const Stray& stray);

/// Adds to what the same instruction did at the same place before.
void addStrays(std::vector<Stray>& all, const std::vector<Stray>& more);

/// What a rewritten program does outside of memory and the program as it is does not: farther,
/// elsewhere or more often. Its lines and kernels may be others. Nothing where there is none.
std::optional<std::string> strayBeyond(const std::vector<Stray>& before,
                                       const std::vector<Stray>& after);

} // namespace heddle::profile
