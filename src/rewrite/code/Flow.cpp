// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Flow.h"

#include "rewrite/code/Branches.h"

#include <clang/AST/ExprCXX.h>

namespace heddle::rewrite {
namespace {

void collect(const clang::Stmt* code, bool breakable, bool continuable, bool inSwitch,
             Exits& exits) {
  if (code == nullptr || llvm::isa<clang::LambdaExpr>(code))
    return;
  if (llvm::isa<clang::BreakStmt>(code) && breakable)
    (inSwitch ? exits.switchBreaks : exits.breaks).push_back(code);
  if (llvm::isa<clang::ContinueStmt>(code) && continuable)
    exits.continues.push_back(code);
  if (const auto* left = llvm::dyn_cast<clang::ReturnStmt>(code))
    exits.returns.push_back(left);
  const bool loops = isLoop(*code) || llvm::isa<clang::CXXForRangeStmt>(code);
  const bool catchesBreak = loops || llvm::isa<clang::SwitchStmt>(code);
  for (const clang::Stmt* child : code->children())
    collect(child, breakable && !catchesBreak, continuable && !loops, inSwitch, exits);
}

} // namespace

Exits findExits(const clang::Stmt& code, bool inSwitch) {
  Exits exits;
  collect(&code, true, true, inSwitch, exits);
  return exits;
}

} // namespace heddle::rewrite
