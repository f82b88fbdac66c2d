// SPDX-License-Identifier: Apache-2.0
//
// How many blocks of an odd size make a good one.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::rewrite::reshape {

/// One or two numbers, which are worth trying: whole warps, or nearly so. `axis`: along which they
/// stand beside each other.
std::vector<int> packSizes(int threads, std::size_t axis);

} // namespace heddle::rewrite::reshape
