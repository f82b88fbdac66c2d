// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/WarpValues.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/TreeVisitor.h"
#include "support/LaneMask.h"

namespace heddle::rewrite {

using clang::BinaryOperator;
using clang::Expr;
using clang::VarDecl;

WarpValues::WarpValues(const Source& source, const clang::Stmt& function, Rows rows)
    : source_(source), rows_(rows), ofBlock_(function, nullptr, Returned::Ignored),
      changed_(modifiedIn(function)) {}

/// The value that a variable is given once and for all.
const Expr* WarpValues::valueOf(const Expr& expression) const {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
  const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  const bool isSet = variable != nullptr && variable->hasLocalStorage() && variable->hasInit() &&
                     !changed_.contains(variable) && variable->getType()->isIntegerType() &&
                     source_.ast().getTypeSize(variable->getType()) >= 32;
  return isSet ? variable->getInit() : nullptr;
}

/// A multiple of the warp's size that all lanes have: `blockIdx.x * blockDim.x`.
bool WarpValues::isRowBegin(const Expr& product) const {
  const auto* of = operatorOf(&product, clang::BO_Mul);
  if (of == nullptr)
    return false;
  const auto isWidth = [&](const Expr& part) {
    Expr::EvalResult result;
    return builtinOf(&part) == "blockDim.x" ||
           (!part.isValueDependent() && part.EvaluateAsInt(result, source_.ast()) &&
            result.Val.getInt().getExtValue() % warpSize == 0);
  };
  return (isWidth(*of->getLHS()) && isAlike(*of->getRHS())) ||
         (isWidth(*of->getRHS()) && isAlike(*of->getLHS()));
}

/// threadIdx.x, perhaps behind whole rows.
bool WarpValues::countsRows(const Expr& number) const {
  if (builtinOf(&number) == "threadIdx.x")
    return true;
  if (const auto* sum = operatorOf(&number, clang::BO_Add))
    return (countsRows(*sum->getLHS()) && isRowBegin(*sum->getRHS())) ||
           (countsRows(*sum->getRHS()) && isRowBegin(*sum->getLHS()));
  const Expr* value = valueOf(number);
  return value != nullptr && countsRows(*value);
}

bool WarpValues::isWarpNumber(const BinaryOperator& quotient) const {
  Expr::EvalResult result;
  const Expr& by = *quotient.getRHS();
  if (quotient.getOpcode() != clang::BO_Div && quotient.getOpcode() != clang::BO_Shr)
    return false;
  const bool isName = source_.textOf(by.IgnoreParenImpCasts()->getSourceRange()) == "warpSize";
  const bool isKnown = !by.isValueDependent() && by.EvaluateAsInt(result, source_.ast());
  const std::int64_t constant = isKnown ? result.Val.getInt().getExtValue() : 0;
  const bool isWarps = quotient.getOpcode() == clang::BO_Div
                           ? isName || (constant > 0 && constant % warpSize == 0)
                           : constant >= 5;
  return isWarps && countsRows(*quotient.getLHS());
}

bool WarpValues::isAlike(const Expr& value) const {
  if (ofBlock_.isUniform(value))
    return true;
  if (rows_ != Rows::OfWarps)
    return false;
  const Expr* bare = value.IgnoreParenCasts()->IgnoreImplicit()->IgnoreParenCasts();
  const std::string builtin = builtinOf(bare);
  if (!builtin.empty())
    return builtin == "threadIdx.y" || builtin == "threadIdx.z";
  if (const auto* binary = llvm::dyn_cast<BinaryOperator>(bare))
    return !binary->isAssignmentOp() && !binary->isCommaOp() && !binary->isPtrMemOp() &&
           (isWarpNumber(*binary) || (isAlike(*binary->getLHS()) && isAlike(*binary->getRHS())));
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare);
  const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable != nullptr && isAlike(*variable);
}

bool WarpValues::isAlike(const VarDecl& variable) const {
  if (ofBlock_.isUniform(variable))
    return true;
  return rows_ == Rows::OfWarps && variable.hasLocalStorage() && variable.hasInit() &&
         !changed_.contains(&variable) && variable.getType()->isScalarType() &&
         isAlike(*variable.getInit());
}

std::vector<const Expr*> WarpValues::laneNames(const clang::Stmt& code) const {
  class Finder final : public TreeVisitor {
  public:
    explicit Finder(const WarpValues& values) : values_(values) {}
    bool shouldVisitImplicitCode() const override { return true; }
    bool aroundStatement(clang::Stmt* statement, Walk inside) override {
      const auto* value = llvm::dyn_cast<Expr>(statement);
      if (value != nullptr && value->isPRValue() && values_.isAlike(*value))
        return true;
      if (auto* built = llvm::dyn_cast<clang::PseudoObjectExpr>(statement))
        return TraverseStmt(built->getSyntacticForm());
      if (auto* opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(statement))
        return TraverseStmt(opaque->getSourceExpr());
      return inside();
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
      const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
      if (variable != nullptr && variable->getName() == "threadIdx" && !variable->hasLocalStorage())
        found.push_back(name);
      return true;
    }
    std::vector<const Expr*> found;

  private:
    const WarpValues& values_;
  } finder(*this);
  if (rows_ != Rows::OfWarps)
    return findThreadIndex(code).names;
  finder.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return std::move(finder.found);
}

} // namespace heddle::rewrite
