// SPDX-License-Identifier: Apache-2.0
//
// Where a file launches a kernel: `k<<<...>>>(...)` and cudaLaunchKernel(k, ...).
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <vector>

namespace heddle::rewrite {

struct Launch {
  Range name;                            ///< of the kernel, without its template arguments
  std::optional<Range> arguments;        ///< those of the template, where they are written
  const clang::CallExpr* call = nullptr; ///< a CUDAKernelCallExpr, or a call of the runtime
  Range statement;                       ///< with its semicolon
  /// Where the statement begins that it is all the body of, without braces.
  std::optional<std::size_t> bodyOf;
};

/// All launches, in the order of the text. Each may be repeated.
///
/// Refuses with: no-launch, launch-in-macro, launch-in-expression, side-effects-in-launch,
/// address-taken (the kernel is named other than to launch it).
Legal<std::vector<Launch>> findLaunches(const Source& source, const clang::FunctionDecl& kernel);

/// The declarations of a kernel, all in this file.
/// Refuses with: declared-elsewhere, c-linkage, explicit-instance.
Legal<std::vector<const clang::FunctionDecl*>> declarationsOf(const Source& source,
                                                              const clang::FunctionDecl& kernel);

} // namespace heddle::rewrite
