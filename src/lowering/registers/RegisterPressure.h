// SPDX-License-Identifier: Apache-2.0
//
// How many 32-bit registers each thread of a kernel needs, estimated from the optimised IR: values
// that are live at once, in the order a compiler for the GPU would choose. docs/design/registers.md
// has the rules, what they rest on, and how far they are from what ptxas says.
#pragma once

#include <llvm/IR/Function.h>

namespace heddle::lowering {

/// What of the device matters.
struct RegisterTarget {
  int computeCapability = 90; ///< 10 * major + minor
  int free = 32;              ///< registers per thread that cost no occupancy: the file divided by
                              ///< the most threads
};

/// Registers of a thread if none is spilled, the fixed ones included. Needs a function with a body.
int registerDemand(const llvm::Function& kernel, const RegisterTarget& target);

} // namespace heddle::lowering
