// SPDX-License-Identifier: Apache-2.0
//
// The NaN that a GPU's arithmetic on floats makes is 0x7fffffff, whatever its operands were; that
// of a CPU may have a sign. `copysign` shows it:
//
//   %x = fsub float %inf, %inf
//   %z = copysign(%a, %x)          ==>      %z = copysign(%a, isNan(%x) ? 0.0 : %x)
//
// A NaN that was loaded keeps its sign, on both. What doubles do with it is not known in full.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::ptx {

void correctNanSigns(llvm::Module& module);

} // namespace heddle::ptx
