// SPDX-License-Identifier: Apache-2.0
//
//   1. Variables that begin with threadIdx and blockIdx, also through others that begin with one of
//      them: those are the numbers.
//   2. Neither threadIdx nor a variable that has only its part is used for anything else.
//   3. No number is taken apart into a warp and a lane.
#include "rewrite/sorted_items/ItemNumbers.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/TreeVisitor.h"
#include "support/LaneMask.h"

#include <algorithm>
#include <map>

namespace heddle::rewrite::sorted_items {
namespace {

using clang::VarDecl;

/// What the first value of a variable is made of.
struct Made {
  bool ofThread = false, ofBlock = false;
};

class Variables final : public TreeVisitor {
public:
  bool VisitVarDecl(VarDecl* variable) override {
    if (!variable->hasLocalStorage() || !variable->hasInit())
      return true;
    const clang::Expr& init = *variable->getInit();
    const std::size_t threads = findThreadIndex(init).names.size();
    Made from{.ofThread = threads > 0, .ofBlock = findItemIndex(init).names.size() > threads};
    for (const VarDecl* each : variablesIn(init))
      if (const auto part = made.find(each); part != made.end() && !isNumber(part->second)) {
        from.ofThread |= part->second.ofThread;
        from.ofBlock |= part->second.ofBlock;
      }
    if (!from.ofThread && !from.ofBlock)
      return true;
    made.emplace(variable, from);
    named += threads;
    inits.insert(&init);
    return true;
  }

  static bool isNumber(const Made& from) { return from.ofThread && from.ofBlock; }

  std::map<const VarDecl*, Made> made;
  std::set<const clang::Stmt*> inits;
  std::size_t named = 0; ///< threadIdx, in all of them
};

/// Steps 2 and 3.
class OtherRoles final : public TreeVisitor {
public:
  explicit OtherRoles(const Variables& variables) : variables_(variables) {}

  bool aroundStatement(clang::Stmt* statement, Walk inside) override {
    return variables_.inits.contains(statement) || inside();
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto known = variables_.made.find(llvm::dyn_cast<VarDecl>(name->getDecl()));
    found |= known != variables_.made.end() && known->second.ofThread &&
             !Variables::isNumber(known->second);
    return !found;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    found |= isLaneOf(*operation);
    return !found;
  }

  bool found = false;

private:
  /// `i % 32` and its kin.
  bool isLaneOf(const clang::BinaryOperator& operation) const {
    const auto* name =
        llvm::dyn_cast<clang::DeclRefExpr>(operation.getLHS()->IgnoreParenImpCasts());
    const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    clang::Expr::EvalResult by;
    if (!variable || !variables_.made.contains(variable) || operation.getRHS()->isValueDependent())
      return false;
    const clang::Expr* right = operation.getRHS()->IgnoreParenImpCasts();
    if (const auto* size = llvm::dyn_cast<clang::DeclRefExpr>(right);
        size != nullptr && size->getNameInfo().getAsString() == "warpSize")
      return true;
    if (!right->EvaluateAsInt(by, variable->getASTContext()))
      return false;
    switch (operation.getOpcode()) {
    case clang::BO_Rem:
    case clang::BO_Div:
      return by.Val.getInt() == warpSize;
    case clang::BO_And:
      return by.Val.getInt() == warpSize - 1;
    case clang::BO_Shr:
      return by.Val.getInt() == 5;
    default:
      return false;
    }
  }

  const Variables& variables_;
};

} // namespace

std::optional<ItemNumbers> ItemNumbers::find(const clang::Stmt& kernel) {
  Variables variables;
  variables.TraverseStmt(const_cast<clang::Stmt*>(&kernel)); // step 1
  const ThreadIndexUses uses = findThreadIndex(kernel);
  if (uses.names.size() != variables.named || !uses.calls.empty())
    return std::nullopt;
  OtherRoles roles(variables);
  roles.TraverseStmt(const_cast<clang::Stmt*>(&kernel));
  if (roles.found)
    return std::nullopt;
  ItemNumbers result;
  for (const auto& [variable, from] : variables.made)
    if (Variables::isNumber(from))
      result.numbers_.insert(variable);
  return result.numbers_.empty() ? std::nullopt : std::optional(std::move(result));
}

bool ItemNumbers::isItemLoop(const clang::Stmt& loop) const {
  const clang::Expr* condition = headerOf(loop).condition;
  if (condition == nullptr)
    return false;
  const std::set<const VarDecl*> changed = modifiedIn(loop);
  return std::ranges::any_of(variablesIn(*condition), [&](const VarDecl* each) {
    return numbers_.contains(each) && changed.contains(each);
  });
}

} // namespace heddle::rewrite::sorted_items
