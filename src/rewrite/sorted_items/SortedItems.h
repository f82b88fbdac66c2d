// SPDX-License-Identifier: Apache-2.0
//
// Advice, not a rewrite: what a kernel with an item a thread would gain if its items came in
// another order, so that those of a warp are alike.
//
//   lengths    3 40  5  4  7  3 62  9 ...       a warp turns as often as its longest item
//   sorted    62 40 ...  9  7  5  4  3  3       and has items of one length
//
// The gain is what the run has lost at branches that the item decides (SortKeys.h). Where lanes
// meet (shared memory, barriers, shuffles), or where a thread is more than its item's number,
// nothing is said. The time of the sort is not in it.
#pragma once

#include "profile/KernelProfile.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

#include <optional>
#include <string>

namespace heddle::rewrite::sorted_items {

inline constexpr const char* name = "sorted-items";

struct SortAdvice {
  double speedup = 1; ///< of the kernel, with its data in that order
  std::string text;
};

/// `kernel`: in this file; `profile`: of its launches; `multiprocessors`: of the modelled GPU, 0
/// where that is not known.
std::optional<SortAdvice> adviseSorting(const Source& source, const clang::FunctionDecl& kernel,
                                        const profile::KernelProfile& profile, int multiprocessors);

/// The lines whose accesses are of neighbours now, and which a list of items would scatter.
std::string neighbouringLines(const profile::KernelProfile& profile, const std::string& file);

/// How much faster the kernel can get at most while the longest item alone takes as long as it
/// does: it turns so often, all warps of all launches together `turns` times.
double mostWithLongest(const profile::KernelProfile& profile, std::uint64_t longest, double turns,
                       int multiprocessors);

} // namespace heddle::rewrite::sorted_items
