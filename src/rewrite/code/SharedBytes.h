// SPDX-License-Identifier: Apache-2.0
//
// How much shared memory code declares.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <cstdint>

namespace heddle::rewrite {

/// Bytes of the variables whose size is known; what a launch asks for is not in it.
std::int64_t sharedBytesOf(const clang::ASTContext& ast, const clang::Stmt& code);

} // namespace heddle::rewrite
