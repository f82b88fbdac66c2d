// SPDX-License-Identifier: Apache-2.0
//
// The two arms of a branch, with their parts.
#pragma once

#include "rewrite/meld/Align.h"

#include <clang/AST/Stmt.h>

namespace heddle::rewrite::meld {

struct Arm {
  const clang::Stmt* code = nullptr;
  Statements statements;
};

struct Arms {
  const clang::IfStmt* branch = nullptr;
  Arm first, other;
  Alignment alignment;

  Statements of(const Arm& arm, const Part& part) const;
};

} // namespace heddle::rewrite::meld
