// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a device module: what nvvm.annotations calls so.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

namespace heddle::ir {

std::vector<llvm::Function*> kernelsOf(const llvm::Module& module);

} // namespace heddle::ir
