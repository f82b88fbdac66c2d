// SPDX-License-Identifier: Apache-2.0
//
// Inline PTX in modules that clang made: `asm("shfl.sync...")` becomes what the same lines of a PTX
// file become. Stands before anything that looks at the module.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::ptx {

/// Calls whose text or operands are of a form that is not known stay; the engine names them.
void lowerInlinePtx(llvm::Module& module);

} // namespace heddle::ptx
