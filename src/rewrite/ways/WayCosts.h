// SPDX-License-Identifier: Apache-2.0
//
// How long the ways of a branch are against one another: operations in the source, those in loops
// as often as the loops were measured to go around. Good for ratios, not for times.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/ways/WayLoop.h"

#include <vector>

namespace heddle::rewrite {

/// One length a way, at least 1. `ways`: where they are in the text; empty ranges are empty ways.
std::vector<double> wayLengths(const Source& source, const clang::Stmt& branch,
                               const std::vector<Range>& ways,
                               const std::vector<MeasuredLoop>& loops);

} // namespace heddle::rewrite
