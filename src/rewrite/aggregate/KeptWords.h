// SPDX-License-Identifier: Apache-2.0
//
// Which words of memory a block may keep for itself until it ends, and how: those at addresses that
// are the same for all threads as a total of each thread, others as a tally of the block.
#pragma once

#include "rewrite/aggregate/AtomicAddress.h"

#include <clang/AST/Decl.h>

#include <vector>

namespace heddle::rewrite::aggregate {

struct Change {
  const clang::CallExpr* call = nullptr;
  AtomicAddress address;
};

struct KeptWords {
  bool isFixed = false; ///< each change has an address that all threads share
  std::vector<Change> changes;
};

/// In the order of the source. Left out is what the kernel uses otherwise, too: others may not see
/// it change late; and what is changed by operations whose order matters.
std::vector<KeptWords> findKeptWords(const Source& source, const clang::FunctionDecl& kernel,
                                     const std::vector<const clang::CallExpr*>& atomics);

/// The kernels that a compiler makes of one: the instances of a template, or itself.
std::vector<const clang::FunctionDecl*> instancesOf(const clang::FunctionDecl& kernel);

/// Parameters that an instance changes, as the kernel's own text names them.
std::set<const clang::VarDecl*> modifiedParameters(const clang::FunctionDecl& kernel);

} // namespace heddle::rewrite::aggregate
