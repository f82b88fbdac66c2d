// SPDX-License-Identifier: Apache-2.0
//
// Where code of a loop's body leaves it: break, continue and return statements that mean this loop
// and not one inside it.
#pragma once

#include <clang/AST/Stmt.h>

#include <vector>

namespace heddle::rewrite {

struct Exits {
  std::vector<const clang::Stmt*> breaks;       ///< of the loop
  std::vector<const clang::Stmt*> switchBreaks; ///< of the switch that `code` is an arm of
  std::vector<const clang::Stmt*> continues;
  std::vector<const clang::ReturnStmt*> returns;

  bool empty() const {
    return breaks.empty() && switchBreaks.empty() && continues.empty() && returns.empty();
  }
};

/// `inSwitch`: a break that no statement of `code` catches means the switch.
Exits findExits(const clang::Stmt& code, bool inSwitch = false);

} // namespace heddle::rewrite
