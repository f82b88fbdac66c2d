// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/SharedBytes.h"

#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Attr.h>

namespace heddle::rewrite {
namespace {

using clang::VarDecl;

class SharedVariables final : public TreeVisitor {
public:
  explicit SharedVariables(const clang::ASTContext& ast) : ast_(ast) {}
  bool VisitVarDecl(VarDecl* variable) override {
    if (variable->hasAttr<clang::CUDASharedAttr>() && !variable->getType()->isIncompleteType() &&
        !variable->getType()->isDependentType())
      bytes += ast_.getTypeSizeInChars(variable->getType()).getQuantity();
    return true;
  }
  std::int64_t bytes = 0;

private:
  const clang::ASTContext& ast_;
};

} // namespace

std::int64_t sharedBytesOf(const clang::ASTContext& ast, const clang::Stmt& code) {
  SharedVariables variables(ast);
  variables.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return variables.bytes;
}

} // namespace heddle::rewrite
