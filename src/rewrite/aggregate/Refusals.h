// SPDX-License-Identifier: Apache-2.0
//
// Why aggregate is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::aggregate {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"no-atomic",
     "The kernel changes no memory of the device by `atomicAdd`, `atomicMin` and their kin whose result nobody uses, and takes no places by `atomicAdd(p, 1)`.",
     "", Fit::NotMeant},
    {"orders-memory",
     "The kernel has fences or waits for the grid: other threads may rely on what each thread changes, and when.",
     "Call `heddle::aggregate_add` by hand where the order does not matter."},
    common["older-gpu"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::aggregate
