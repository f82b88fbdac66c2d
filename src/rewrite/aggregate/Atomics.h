// SPDX-License-Identifier: Apache-2.0
//
// The atomics of a kernel on the device's memory whose results nobody uses.
#pragma once

#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <string>
#include <vector>

namespace heddle::rewrite::aggregate {

/// What a call names; "" where it calls an expression.
std::string calledName(const clang::CallExpr& call);

/// Of the library for such an atomic: "aggregate_add" for atomicAdd; "" for what is none.
std::string aggregatedName(const clang::CallExpr& call);

/// Those of the kernel's own text that are statements of their own, in the order of the source.
std::vector<const clang::CallExpr*> findAtomics(const clang::Stmt& body);

/// Counters whose old value is a place: `list[atomicAdd(&count, 1)] = x`.
std::vector<const clang::CallExpr*> findPlaces(const Source& source, const clang::Stmt& body);

} // namespace heddle::rewrite::aggregate
