// SPDX-License-Identifier: Apache-2.0
//
// Which sums and products machine code has, by the lines of the PTX: what ptxas fused.
#pragma once

#include "ptx/FuseProducts.h"
#include "sass/MachineCode.h"

namespace heddle::sass {

/// Of floats and doubles.
ptx::ArithmeticOfLines arithmeticOfLines(const std::vector<Routine>& routines);

} // namespace heddle::sass
