// SPDX-License-Identifier: Apache-2.0
//
// How long a statement is, in instructions of a thread, from its text: an estimate that is good for
// ratios. Loops count as often as they were measured to go around.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::meld {

double costOf(const Source& source, const clang::Stmt& code,
              const std::vector<MeasuredLoop>& loops);

} // namespace heddle::rewrite::meld
