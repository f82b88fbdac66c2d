// SPDX-License-Identifier: Apache-2.0
//
// A kernel with what it needs, out of the module of its source file. A file may hold hundreds of
// kernels: what one of them costs must not depend on the others.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <vector>

namespace heddle::engine {

struct ExtractedKernel {
  std::unique_ptr<llvm::Module> module; ///< in the context of the kernel's own
  /// The kernel first, then the functions it calls, and where it calls through pointers, all whose
  /// address is taken anywhere in its file.
  std::vector<llvm::Function*> functions;
};

/// Copies the kernel, its functions, and the variables they name; of other functions that they name
/// only the declaration. Debug information is shared, not copied.
ExtractedKernel extractKernel(llvm::Function& kernel);

} // namespace heddle::engine
