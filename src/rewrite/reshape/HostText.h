// SPDX-License-Identifier: Apache-2.0
//
// What the host writes at a launch in place of a block.
#pragma once

#include "rewrite/reshape/LaunchShape.h"

#include <string>

namespace heddle::rewrite::reshape {

/// The block with one axis more.
std::string packedBlock(const Source& source, const LaunchShape& shape, std::size_t axis,
                        int count);

} // namespace heddle::rewrite::reshape
