// SPDX-License-Identifier: Apache-2.0
//
// Device math that is called lane by lane: the transcendental functions of libdevice and nvvm, and
// double arithmetic in the rounding modes the processor is not in. What is cheap over a whole warp
// is vector IR instead (VectorMath.h).
#pragma once

#include <llvm/ADT/StringRef.h>

#include <vector>

namespace heddle::engine {

/// The address of a function of this process with the C signature of a libdevice function
/// (`__nv_sinf`) or an nvvm intrinsic (`llvm.nvvm.ex2.approx.f`); null where it is not known. It is
/// thread-safe and at least as accurate as CUDA's documentation says of the GPU's.
void* scalarMath(llvm::StringRef name);

/// The names in order.
std::vector<llvm::StringRef> scalarMathNames();

} // namespace heddle::engine
