// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/CallFollower.h"

namespace heddle::rewrite {

bool CallFollower::follow(const clang::FunctionDecl* callee) {
  const clang::FunctionDecl* body = nullptr;
  if (callee == nullptr || !callee->hasBody(body) || !followed_.insert(body).second)
    return true;
  return TraverseStmt(body->getBody());
}

} // namespace heddle::rewrite
