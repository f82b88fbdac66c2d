// SPDX-License-Identifier: Apache-2.0
//
// __cluster_dims__ of clang's device code. Clang has no such attribute, so that host_defines.h
// makes it an annotation with numbers; here it becomes what LLVM says for one, and PTX's directive
// too.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::frontend {

/// Moves all such annotations to nvvm.annotations and drops those of others, which nobody reads.
void readClusterDims(llvm::Module& module);

} // namespace heddle::frontend
