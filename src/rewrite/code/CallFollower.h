// SPDX-License-Identifier: Apache-2.0
//
// A walk through code that goes on in the functions which it calls, once in each.
#pragma once

#include "rewrite/code/TreeVisitor.h"

#include <set>

namespace heddle::rewrite {

class CallFollower : public TreeVisitor {
public:
  bool VisitCallExpr(clang::CallExpr* call) override { return follow(call->getDirectCallee()); }

  /// The definitions that were walked.
  const std::set<const clang::FunctionDecl*>& followed() const { return followed_; }

protected:
  /// Walks the body of a function, where it is known and was not walked before.
  bool follow(const clang::FunctionDecl* callee);

private:
  std::set<const clang::FunctionDecl*> followed_;
};

} // namespace heddle::rewrite
