// SPDX-License-Identifier: Apache-2.0
#include "rewrite/split_branch/GlobalIndex.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/split_branch/Refusals.h"

#include <clang/AST/ExprCXX.h>

#include <array>

namespace heddle::rewrite::split_branch {
namespace {

using clang::Expr;

bool isBlockStart(const Expr* expression) {
  const clang::BinaryOperator* product = operatorOf(expression, clang::BO_Mul);
  if (product == nullptr)
    return false;
  const std::string left = builtinOf(product->getLHS()), right = builtinOf(product->getRHS());
  return (left == "blockIdx.x" && right == "blockDim.x") ||
         (left == "blockDim.x" && right == "blockIdx.x");
}

bool isThreadIndex(const Expr* expression) {
  const clang::BinaryOperator* sum = operatorOf(expression, clang::BO_Add);
  return sum != nullptr &&
         ((isBlockStart(sum->getLHS()) && builtinOf(sum->getRHS()) == "threadIdx.x") ||
          (isBlockStart(sum->getRHS()) && builtinOf(sum->getLHS()) == "threadIdx.x"));
}

class BuiltinFinder final : public CallFollower {
public:
  explicit BuiltinFinder(const clang::DeclStmt* allowed) : allowed_(allowed) {}

  bool aroundStatement(clang::Stmt* statement, Walk inside) override {
    return statement == allowed_ || inside();
  }
  bool VisitOpaqueValueExpr(clang::OpaqueValueExpr* value) override {
    return TraverseStmt(value->getSourceExpr());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    static constexpr std::array<llvm::StringRef, 4> builtins = {"threadIdx", "blockIdx", "blockDim",
                                                                "gridDim"};
    if (name->getDecl()->getIdentifier() == nullptr ||
        !llvm::is_contained(builtins, name->getDecl()->getName()))
      return true;
    found = name;
    return false;
  }

  const clang::DeclRefExpr* found = nullptr;

private:
  const clang::DeclStmt* allowed_;
};

} // namespace

Legal<GlobalIndex> findGlobalIndex(const Source& source, const clang::Stmt& body) {
  GlobalIndex index;
  for (const clang::Stmt* statement : body.children()) {
    const auto* declares = llvm::dyn_cast<clang::DeclStmt>(statement);
    const auto* variable = declares != nullptr && declares->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declares->getSingleDecl())
                               : nullptr;
    if (variable != nullptr && variable->hasInit() && variable->getType()->isIntegerType() &&
        isThreadIndex(variable->getInit())) {
      index = {declares, variable};
      break;
    }
  }
  if (index.statement == nullptr)
    return refuse(refusals["not-one-index"],
                  "the kernel declares no i = blockIdx.x * blockDim.x + threadIdx.x");
  BuiltinFinder finder(index.statement);
  finder.TraverseStmt(const_cast<clang::Stmt*>(&body));
  if (finder.found != nullptr)
    return refuse(refusals["not-one-index"], "line {} uses {} beside {}",
                  source.lineOf(finder.found->getBeginLoc()),
                  finder.found->getDecl()->getNameAsString(), index.variable->getNameAsString());
  return index;
}

} // namespace heddle::rewrite::split_branch
