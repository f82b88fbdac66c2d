// SPDX-License-Identifier: Apache-2.0
#include "rewrite/spread/OneThread.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/Modified.h"
#include "support/LaneMask.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <set>
#include <vector>

namespace heddle::rewrite::spread {
namespace {

using clang::Expr;
using clang::VarDecl;

class Reader {
public:
  Reader(const Source& source, const clang::Stmt& function)
      : source_(source), changed_(modifiedIn(function)) {}

  /// `joint`: && where the parts ask for the thread, || where they ask for all others.
  std::optional<OneThread> read(const Expr& condition, clang::BinaryOperatorKind joint) const {
    std::vector<const Expr*> parts;
    split(condition, joint, parts);
    std::optional<OneThread> found;
    const Expr *rowTest = nullptr, *row = nullptr;
    for (const Expr* part : parts) {
      const Expr* number = joint == clang::BO_LAnd ? zeroOf(*part) : notZeroOf(*part);
      if (number == nullptr)
        continue;
      if (rowTest == nullptr && isBuiltin(*number, "threadIdx.y"))
        rowTest = part, row = number;
      if (!found)
        found = readPart(*part, *number);
    }
    if (found)
      found->rowTest = rowTest, found->row = row;
    return found;
  }

private:
  std::optional<OneThread> readPart(const Expr& part, const Expr& number) const {
    if (isBuiltin(number, "threadIdx.x"))
      return OneThread{&part, &number};
    if (isLane(number))
      return OneThread{&part, &number, OneThread::Of::Warp};
    if (counts(number, "threadIdx.y") || isRank(number))
      return OneThread{&part, &number, OneThread::Of::Block, true};
    // A number of so many threads may be less than 0.
    const bool isExact = llvm::isa<clang::UnaryOperator>(part) ||
                         operatorOf(&part, clang::BO_EQ) != nullptr ||
                         operatorOf(&part, clang::BO_NE) != nullptr;
    if (isExact && counts(number, "blockIdx.x"))
      return OneThread{&part, &number, OneThread::Of::Grid};
    return std::nullopt;
  }
  static void split(const Expr& condition, clang::BinaryOperatorKind joint,
                    std::vector<const Expr*>& to) {
    const auto* both = operatorOf(&condition, joint);
    if (both == nullptr) {
      to.push_back(condition.IgnoreParenImpCasts());
      return;
    }
    split(*both->getLHS(), joint, to);
    split(*both->getRHS(), joint, to);
  }
  std::optional<std::int64_t> constantOf(const Expr& value) const {
    Expr::EvalResult result;
    if (value.isValueDependent() || !value.getType()->isIntegerType() ||
        !value.EvaluateAsInt(result, source_.ast()))
      return std::nullopt;
    return result.Val.getInt().getExtValue();
  }
  /// What a condition finds to be 0, where it is never less; nullptr: it does something else.
  const Expr* zeroOf(const Expr& condition) const {
    if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(&condition);
        negated != nullptr && negated->getOpcode() == clang::UO_LNot)
      return negated->getSubExpr()->IgnoreParenImpCasts();
    const auto compared = comparedOf(condition);
    if (!compared)
      return flagOf(condition);
    const auto [number, kind, bound] = *compared;
    const bool isZero = (kind == clang::BO_EQ && bound == 0) ||
                        (kind == clang::BO_LE && bound == 0) ||
                        (kind == clang::BO_LT && bound == 1);
    return isZero ? number : nullptr;
  }
  /// The same for what it finds not to be 0.
  const Expr* notZeroOf(const Expr& condition) const {
    const auto compared = comparedOf(condition);
    if (!compared)
      return condition.getType()->isIntegerType() && !condition.getType()->isBooleanType()
                 ? &condition
                 : nullptr;
    const auto [number, kind, bound] = *compared;
    const bool isOther = (kind == clang::BO_NE && bound == 0) ||
                         (kind == clang::BO_GT && bound == 0) ||
                         (kind == clang::BO_GE && bound == 1);
    return isOther ? number : nullptr;
  }
  struct Compared {
    const Expr* number;
    clang::BinaryOperatorKind kind;
    std::int64_t bound;
  };
  /// A number and a constant, in this order.
  std::optional<Compared> comparedOf(const Expr& condition) const {
    const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(&condition);
    if (compared == nullptr || !compared->isComparisonOp())
      return std::nullopt;
    const Expr *left = compared->getLHS()->IgnoreParenImpCasts(),
               *right = compared->getRHS()->IgnoreParenImpCasts();
    const clang::BinaryOperatorKind kind = compared->getOpcode();
    if (const auto bound = constantOf(*right))
      return Compared{left, kind, *bound};
    const auto bound = constantOf(*left);
    if (!bound)
      return std::nullopt;
    return Compared{right,
                    clang::BinaryOperator::isRelationalOp(kind)
                        ? clang::BinaryOperator::reverseComparisonOp(kind)
                        : kind,
                    *bound};
  }
  /// `const bool isFirst = threadIdx.x == 0;`, the built-in itself, which means the same anywhere.
  const Expr* flagOf(const Expr& condition) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&condition);
    const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (variable == nullptr || !variable->hasLocalStorage() || !variable->hasInit() ||
        changed_.contains(variable) || !variable->getType()->isBooleanType())
      return nullptr;
    const Expr* number = zeroOf(*variable->getInit()->IgnoreParenImpCasts());
    return number != nullptr && builtinOf(number) == "threadIdx.x" ? number : nullptr;
  }
  /// `block.thread_rank()` of a cooperative_groups::thread_block.
  bool isRank(const Expr& expression) const {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression);
    const auto* method = call != nullptr
                             ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee())
                             : nullptr;
    if (method != nullptr && method->getIdentifier() != nullptr &&
        method->getName() == "thread_rank")
      return method->getParent()->getQualifiedNameAsString() == "cooperative_groups::thread_block";
    const Expr* value = valueOf(expression);
    return value != nullptr && isRank(*value->IgnoreParenImpCasts());
  }
  /// `threadIdx.x + rows * blockDim.x`, in any order.
  bool counts(const Expr& expression, const std::string& rows) const {
    if (const auto* sum = operatorOf(&expression, clang::BO_Add))
      return (isBuiltin(*sum->getLHS(), "threadIdx.x") && isRows(*sum->getRHS(), rows)) ||
             (isBuiltin(*sum->getRHS(), "threadIdx.x") && isRows(*sum->getLHS(), rows));
    const Expr* value = valueOf(expression, 32);
    return value != nullptr && counts(*value, rows);
  }
  /// A constant in the place of blockDim.x must be no smaller than a warp.
  bool isRows(const Expr& product, const std::string& rows) const {
    const auto* of = operatorOf(&product, clang::BO_Mul);
    if (of == nullptr)
      return false;
    const bool isFirst = isBuiltin(*of->getLHS(), rows);
    const Expr &number = isFirst ? *of->getLHS() : *of->getRHS(),
               &width = isFirst ? *of->getRHS() : *of->getLHS();
    return isBuiltin(number, rows) &&
           (isBuiltin(width, "blockDim.x") ||
            (rows == "blockIdx.x" && constantOf(width).value_or(0) >= warpSize));
  }
  /// The value that a variable is given once and for all.
  const Expr* valueOf(const Expr& expression, unsigned bits = 16) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
    const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    const bool isSet = variable != nullptr && variable->hasLocalStorage() && variable->hasInit() &&
                       !changed_.contains(variable) && variable->getType()->isIntegerType() &&
                       source_.ast().getTypeSize(variable->getType()) >= bits;
    return isSet ? variable->getInit() : nullptr;
  }
  bool isBuiltin(const Expr& expression, const std::string& name) const {
    if (builtinOf(&expression) == name)
      return true;
    const Expr* value = valueOf(expression);
    return value != nullptr && isBuiltin(*value, name);
  }
  bool isLane(const Expr& expression) const {
    if (const auto* rest = operatorOf(&expression, clang::BO_Rem))
      return isBuiltin(*rest->getLHS(), "threadIdx.x") &&
             (constantOf(*rest->getRHS()) == warpSize ||
              source_.textOf(rest->getRHS()->getSourceRange()) == "warpSize");
    if (const auto* rest = operatorOf(&expression, clang::BO_And))
      return isBuiltin(*rest->getLHS(), "threadIdx.x") &&
             constantOf(*rest->getRHS()) == warpSize - 1;
    const Expr* value = valueOf(expression);
    return value != nullptr && isLane(*value);
  }

  const Source& source_;
  std::set<const VarDecl*> changed_;
};

} // namespace

std::optional<OneThread> readOneThread(const Source& source, const Expr& condition,
                                       const clang::Stmt& function) {
  return Reader(source, function).read(condition, clang::BO_LAnd);
}

std::optional<OneThread> readAllButOne(const Source& source, const Expr& condition,
                                       const clang::Stmt& function) {
  return Reader(source, function).read(condition, clang::BO_LOr);
}

} // namespace heddle::rewrite::spread
