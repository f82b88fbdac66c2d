// SPDX-License-Identifier: Apache-2.0
//
// ptxas makes other things of two shapes than PTX says, and so does a GPU. Both were read from what
// ptxas of CUDA 13.0 makes of shapes for sm_90, at any distance and in other blocks, too:
//
//   cvt.rzi.u32.f32 a, x;            A float that was made of one that was made whole is left out,
//   cvt.rn.f32.u32  b, a;            whatever the rounding modes: c is that of x. (2.7 becomes 3.)
//   cvt.rni.u32.f32 c, b;            Not so with s32, u64, u16, f64 and f16.
//
//   abs.s32 a, x;                    The remainder has no sign, though a is negative where x is the
//   rem.s32 b, a, y;                 least of all. (So with s16, but not with s64 or `div`.)
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::ptx {

/// Must stand behind what asks which instructions PTX has: fusion, and the match with machine code.
void foldLikePtxas(llvm::Module& module);

} // namespace heddle::ptx
