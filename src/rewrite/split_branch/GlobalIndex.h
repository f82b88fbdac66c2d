// SPDX-License-Identifier: Apache-2.0
//
// The variable by which a kernel knows its thread:
//
//   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

namespace heddle::rewrite::split_branch {

struct GlobalIndex {
  const clang::DeclStmt* statement = nullptr; ///< declares nothing else
  const clang::VarDecl* variable = nullptr;
};

/// Among the statements of the kernel's own body.
/// Refuses with: not-one-index, where there is none, or the kernel or a function that it calls asks
/// for its thread or block in another way too.
Legal<GlobalIndex> findGlobalIndex(const Source& source, const clang::Stmt& body);

} // namespace heddle::rewrite::split_branch
