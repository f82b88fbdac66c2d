// SPDX-License-Identifier: Apache-2.0
//
// Where a kernel asks for its thread and its block, and what the threads of a block share.
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

#include <set>
#include <string>
#include <vector>

namespace heddle::rewrite::reshape {

struct BlockUses {
  /// "threadIdx.x", in functions that it calls, too.
  std::set<std::string> names;
  std::vector<const clang::Expr*> places; ///< of those in the kernel's own text
  std::vector<const clang::VarDecl*> shared;
  std::vector<const clang::DeclRefExpr*> sharedNames;
  bool hasBarrier = false;
  bool inFunctions = false; ///< a function that it calls asks for its thread or block
};

/// The kernels that a compiler makes of one: the instances of a template, or itself.
std::vector<const clang::FunctionDecl*> instancesOf(const clang::FunctionDecl& kernel);

/// Of the kernel as it stands in the file, after a look at all of its instances.
///
/// Refuses with: grid-size-used, block-index-in-function, varying-barrier, shared-unfit,
/// dynamic-shared, and as refuseWarpCommunication does.
Legal<BlockUses> findBlockUses(const Source& source, const clang::FunctionDecl& kernel);

} // namespace heddle::rewrite::reshape
