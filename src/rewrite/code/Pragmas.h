// SPDX-License-Identifier: Apache-2.0
//
// Pragmas in front of a loop, such as `#pragma unroll`.
#pragma once

#include "rewrite/code/Branches.h"

namespace heddle::rewrite {

/// Their lines, line breaks included; a loop without one has none.
std::vector<Range> pragmaLines(const Source& source, const Placed& loop);

} // namespace heddle::rewrite
