// SPDX-License-Identifier: Apache-2.0
//
// What a rewrite would gain, from what one run has measured: shares and lengths of the paths, what
// the loop does besides, and what the rewrite itself costs. `heddle run` says it; `heddle fix`
// finds out. Rewrites that have a model of their own have it in their folder.
//
// Times are instructions of a warp. As it is, a turn of the loop takes
//   tL + sum over the ways of P(some lane of 32 wants it) * t_k.
#pragma once

#include "profile/KernelProfile.h"
#include "support/LaneMask.h"

#include <string>
#include <vector>

namespace heddle::advise {

/// A place where lanes are lost, as a model sees it.
struct PricedBranch {
  std::vector<double> shares;  ///< of the lanes, one a way
  std::vector<double> lengths; ///< of the ways
  double rest = 0;             ///< of a turn: all that is not on one of the ways
  double turns = 0;            ///< of a lane, on average
  double lostShare = 0;        ///< of the kernel's time
  int line = 0;
  double lanesOfExecution = 0; ///< on average; 32: the warp never parts
  double threads = 0;
  std::vector<double> written; ///< the lengths that the rewrite found in the source

  double longest() const; ///< way
};

struct Price {
  double speedup = 1; ///< of the kernel
  std::string form;   ///< the best one: "aging"
  std::string why;    ///< the numbers that decide, in a line
};

/// `lengths`: of the ways against one another, in the order of the source. Two ways are told from
/// what was counted; of more, the shares are not known and taken as equal. One is the length of a
/// strip of a loop's iterations.
PricedBranch describeBranch(const profile::KernelProfile& kernel,
                            const profile::BranchProfile& branch,
                            const std::vector<double>& lengths, double lostShare);

/// Of a rewrite that has no model: all that could be gained.
Price priceOfAll(const profile::KernelProfile& kernel, const PricedBranch& branch);

} // namespace heddle::advise
