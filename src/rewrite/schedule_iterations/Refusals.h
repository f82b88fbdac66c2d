// SPDX-License-Identifier: Apache-2.0
//
// Why schedule-iterations is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::schedule_iterations {

// clang-format off
inline constexpr RefusalTable refusals{{
    common["no-loop"],
    common["not-alone"],
    common["not-a-choice"],
    common["too-many-ways"],
    common["fallthrough"],
    common["value-returned"],
    common["unhoistable-declaration"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::schedule_iterations
