// SPDX-License-Identifier: Apache-2.0
//
// What a kernel for each way would gain.
#pragma once

#include "advise/Prices.h"

namespace heddle::rewrite::split_branch {

/// By partition, which finds each thread's way first and writes its number to a list. By test
/// the same lanes stay lost, in more launches: that pays for its registers alone, which only a run
/// tells.
advise::Price priceSplitting(const profile::KernelProfile& kernel,
                             const advise::PricedBranch& branch);

} // namespace heddle::rewrite::split_branch
