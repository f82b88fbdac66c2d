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
  std::uint64_t switchedOff = 0;
};

/// Places that lost lanes, worst first.
std::vector<BranchRow> worstBranches(const profile::KernelProfile& kernel);

/// From here on, of a kernel's used lane slots, what predicates switch off is told of branches, and
/// line by line.
inline constexpr double notableOffOfBranch = 0.01;
inline constexpr double notableOffOfKernel = 0.02;

/// The same, and after them those that lost none since they became predicates that switch off a
/// notable share.
std::vector<BranchRow> notableBranches(const profile::KernelProfile& kernel);

struct OffRow {
  profile::SourceLocation where; ///< a whole line
  std::uint64_t switchedOff = 0;
  double share = 0; ///< of the kernel's used lane slots
  std::string what; ///< "12.5 % of its lanes"
};

/// Lines that have lanes switched off, worst first; none where it is not known.
std::vector<OffRow> switchedOffLines(const profile::KernelProfile& kernel);

struct MemoryRow {
  profile::SourceLocation where;
  std::uint64_t excess = 0; ///< transactions that neighbouring addresses would save
  std::string what;         ///< "32 sectors a request, 4 would do"
};

/// Global accesses with more than twice the sectors they need, shared ones with more than half as
/// many passes again; worst first.
std::vector<MemoryRow> notableAccesses(const profile::KernelProfile& kernel);

} // namespace heddle::report
