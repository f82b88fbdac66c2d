// SPDX-License-Identifier: Apache-2.0
//
// What a report says of a kernel's lines: records of one place, inlined here and there, are one
// row.
#pragma once

#include "profile/KernelProfile.h"

#include <string>
#include <vector>

namespace heddle::report {

struct BranchRow {
  profile::SourceLocation where;
  std::uint64_t lostSlots = 0;
  double lostCycles = 0; ///< lane-cycles of the modelled GPU
  std::string why;       ///< "2 paths, p = 0.16", "12..311 iterations, mean 45"
};

/// Places that lost lanes, worst first.
std::vector<BranchRow> worstBranches(const profile::KernelProfile& kernel);

struct MemoryRow {
  profile::SourceLocation where;
  std::uint64_t excess = 0; ///< transactions that neighbouring addresses would save
  std::string what;         ///< "32 sectors a request, 4 would do"
};

/// Global accesses with more than twice the sectors they need, shared ones with more than half as
/// many passes again; worst first.
std::vector<MemoryRow> notableAccesses(const profile::KernelProfile& kernel);

} // namespace heddle::report
