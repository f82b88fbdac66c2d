// SPDX-License-Identifier: Apache-2.0
//
// Sums that a compiler may fuse with a product once both stand together.
#pragma once

#include <clang/AST/Stmt.h>

namespace heddle::rewrite {

/// Whether code, or what it calls, adds floating-point numbers.
bool addsFloats(const clang::Stmt& code);

} // namespace heddle::rewrite
