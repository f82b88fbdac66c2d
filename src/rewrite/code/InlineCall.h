// SPDX-License-Identifier: Apache-2.0
//
// The body of a function in the place of its call, for rewrites that need a kernel to hold a loop
// itself.
#pragma once

#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>
#include <tl/expected.hpp>

#include <string>

namespace heddle::rewrite {

struct InlinedCall {
  std::string text; ///< of the whole file
  Range body;       ///< in it
};

/// A function whose only call in a kernel is a statement of its own, or all of the value that a
/// statement gives to something. The error is why not, in words: "trace returns from within".
tl::expected<InlinedCall, std::string> inlineCall(const Source& source,
                                                  const clang::FunctionDecl& kernel,
                                                  const clang::FunctionDecl& function);

} // namespace heddle::rewrite
