// SPDX-License-Identifier: Apache-2.0
//
// What device functions become on a GPU: how many machine instructions of which unit, and how many
// of them wait for one another. Rounded from the sequences that the CUDA compiler emits on its fast
// paths; slow paths (huge arguments of sinf, denormal divisors) are left out.
#pragma once

#include "profile/KernelTrace.h"

#include <llvm/ADT/StringRef.h>

namespace heddle::lowering {

struct MathCost {
  profile::Unit unit = profile::Unit::Fp32;
  int issues = 1;
  int dependent = 1;
  int specials = 0; ///< instructions of the special function unit in front of them
};

/// Of a libdevice function (`__nv_sinf`), an nvvm intrinsic or a math intrinsic of LLVM, by name.
MathCost mathCost(llvm::StringRef name);

} // namespace heddle::lowering
