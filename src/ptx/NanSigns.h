// SPDX-License-Identifier: Apache-2.0
//
// Which NaN arithmetic makes, and with which sign, is not the same on a GPU and on a CPU.
// `copysign` shows it:
//
//   %x = fsub float %inf, %inf
//   %z = copysign(%a, %x)          ==>      %z = copysign(%a, isNan(%x) ? 0.0 : %x)
//
// Of floats it is 0x7fffffff, whatever the operands were. Of doubles, as an H200 has it, it is the
// NaN of an operand, whose sign neither negation nor absolute value changes: b before a; of a * b +
// c, b before c before a; of a / b, a before b. Where no operand is one, it is negative. A
// conversion keeps the sign if one side is a double. A NaN that was loaded keeps its sign
// everywhere.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::ptx {

/// Must stand behind what fuses products (FuseProducts.h). What was corrected is left alone.
void correctNanSigns(llvm::Module& module);

} // namespace heddle::ptx
