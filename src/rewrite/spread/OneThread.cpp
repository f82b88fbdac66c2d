// SPDX-License-Identifier: Apache-2.0
#include "rewrite/spread/OneThread.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/Modified.h"
#include "support/LaneMask.h"

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

  std::optional<OneThread> read(const Expr& condition) const {
    std::vector<const Expr*> parts;
    split(condition, parts);
    std::optional<OneThread> found;
    bool asksRow = false;
    for (const Expr* part : parts) {
      const Expr* number = zeroOf(*part);
      if (number == nullptr)
        continue;
      asksRow = asksRow || isBuiltin(*number, "threadIdx.y");
      if (found)
        continue;
      if (isBuiltin(*number, "threadIdx.x"))
        found = OneThread{part, number};
      else if (isLane(*number))
        found = OneThread{part, number, OneThread::Of::Warp};
      else if (counts(*number, "threadIdx.y"))
        found = OneThread{part, number, OneThread::Of::Block, true};
      else if (counts(*number, "blockIdx.x"))
        found = OneThread{part, number, OneThread::Of::Grid};
    }
    if (found)
      found->ofFirstRow = asksRow;
    return found;
  }

private:
  static void split(const Expr& condition, std::vector<const Expr*>& to) {
    const auto* both = operatorOf(&condition, clang::BO_LAnd);
    if (both == nullptr) {
      to.push_back(condition.IgnoreParenImpCasts());
      return;
    }
    split(*both->getLHS(), to);
    split(*both->getRHS(), to);
  }
  std::optional<std::int64_t> constantOf(const Expr& value) const {
    Expr::EvalResult result;
    if (value.isValueDependent() || !value.getType()->isIntegerType() ||
        !value.EvaluateAsInt(result, source_.ast()))
      return std::nullopt;
    return result.Val.getInt().getExtValue();
  }
  /// What a condition compares to 0; nullptr: it does something else.
  const Expr* zeroOf(const Expr& condition) const {
    if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(&condition);
        negated != nullptr && negated->getOpcode() == clang::UO_LNot)
      return negated->getSubExpr()->IgnoreParenImpCasts();
    const auto* equal = operatorOf(&condition, clang::BO_EQ);
    if (equal == nullptr)
      return nullptr;
    if (constantOf(*equal->getRHS()) == 0)
      return equal->getLHS()->IgnoreParenImpCasts();
    return constantOf(*equal->getLHS()) == 0 ? equal->getRHS()->IgnoreParenImpCasts() : nullptr;
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
  return Reader(source, function).read(condition);
}

} // namespace heddle::rewrite::spread
