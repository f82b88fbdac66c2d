// SPDX-License-Identifier: Apache-2.0
//
// Why launch-bounds is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::launch_bounds {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"has-launch-bounds",
     "The kernel has them already.",
     ""},
    {"no-register-pressure",
     "Registers do not limit occupancy.",
     "", Fit::NotMeant},
    common["block-size-unknown"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::launch_bounds
