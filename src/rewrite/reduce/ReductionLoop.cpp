// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reduce/ReductionLoop.h"

#include "rewrite/code/Effects.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace heddle::rewrite::reduce {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

constexpr std::array reducingFunctions = {"min", "max", "fminf", "fmaxf", "fmin", "fmax"};

const VarDecl* variableOf(const Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

const BinaryOperator* binaryOf(const Expr* expression, clang::BinaryOperatorKind kind) {
  const auto* binary = llvm::dyn_cast<BinaryOperator>(expression->IgnoreParenImpCasts());
  return binary != nullptr && binary->getOpcode() == kind ? binary : nullptr;
}

/// Statements of a body; a block of blocks is one list.
void flatten(const Stmt* statement, std::vector<const Stmt*>& to) {
  if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
    for (const Stmt* each : block->body())
      flatten(each, to);
  else if (statement != nullptr && !llvm::isa<clang::NullStmt>(statement))
    to.push_back(statement);
}

bool isBarrier(const Stmt* statement) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
  const clang::FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
  return callee != nullptr && callee->getNameAsString() == "__syncthreads";
}

class ReductionReader {
public:
  ReductionReader(const Source& source, const Stmt& function, int block)
      : source_(source), whole_(effectsOf(function)), block_(block) {}

  std::optional<ReductionLoop> read(const clang::ForStmt& loop);

private:
  using Predicate = std::function<bool(const Expr*)>;

  bool readHeader(const clang::ForStmt& loop);
  bool readStep(const Expr* step) const;
  bool readGuarded(const Stmt* guarded);
  bool readIndex(const Stmt* statement);
  bool isGuard(const Expr* condition) const;
  bool isBound(const Expr* condition) const;
  bool readUpdate(const Stmt* statement);
  bool readOperands(const Expr* left, const Expr* right);
  const VarDecl* elementOf(const Expr* expression, const Predicate& isIndex) const;

  bool isConstant(const Expr* expression, int value) const {
    Expr::EvalResult result;
    return !expression->isValueDependent() && expression->getType()->isIntegerType() &&
           expression->EvaluateAsInt(result, source_.ast()) && result.Val.getInt() == value;
  }
  /// A builtin, or a variable that is set to it and stays so.
  bool isBuiltin(const Expr* expression, const char* name) const {
    if (source_.textOf(expression->IgnoreParenImpCasts()->getSourceRange()) == name)
      return true;
    const VarDecl* variable = variableOf(expression);
    return variable != nullptr && variable->hasInit() && variable->hasLocalStorage() &&
           variable->getType()->isIntegerType() && !whole_.changes.contains(variable) &&
           source_.ast().getTypeSize(variable->getType()) > 8 &&
           isBuiltin(variable->getInit(), name);
  }
  bool isThread(const Expr* expression) const { return isBuiltin(expression, "threadIdx.x"); }
  bool isBlock(const Expr* expression) const {
    return isBuiltin(expression, "blockDim.x") || isConstant(expression, block_);
  }
  bool isStride(const Expr* expression) const { return variableOf(expression) == stride_; }
  bool isProduct(const Expr* expression, int constant, int strides, int threads) const;
  bool isIndex(const Expr* expression) const {
    return index_ != nullptr ? variableOf(expression) == index_ : isThread(expression);
  }
  /// index + stride
  bool isPartner(const Expr* expression) const {
    const BinaryOperator* sum = binaryOf(expression, clang::BO_Add);
    return sum != nullptr && ((isIndex(sum->getLHS()) && isStride(sum->getRHS())) ||
                              (isStride(sum->getLHS()) && isIndex(sum->getRHS())));
  }

  const Source& source_;
  Effects whole_;
  int block_;
  const VarDecl* stride_ = nullptr;
  const VarDecl* index_ = nullptr; ///< none: the thread's number
  ReductionLoop found_;
};

/// Whether an expression is a product of these, in any order and grouping.
bool ReductionReader::isProduct(const Expr* expression, int constant, int strides,
                                int threads) const {
  std::vector<const Expr*> factors = {expression};
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Expr* factor = factors[i];
    if (const BinaryOperator* product = binaryOf(factor, clang::BO_Mul)) {
      factors.push_back(product->getLHS());
      factors.push_back(product->getRHS());
    } else if (const BinaryOperator* shifted = binaryOf(factor, clang::BO_Shl);
               shifted != nullptr && isConstant(shifted->getRHS(), 1)) {
      factors.push_back(shifted->getLHS());
      constant /= 2;
    } else if (isStride(factor)) {
      --strides;
    } else if (isThread(factor)) {
      --threads;
    } else if (constant > 1 && isConstant(factor, constant)) {
      constant = 1;
    } else {
      return false;
    }
  }
  return constant == 1 && strides == 0 && threads == 0;
}

bool ReductionReader::readHeader(const clang::ForStmt& loop) {
  const Expr* start = nullptr;
  if (const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
      declares != nullptr && declares->isSingleDecl()) {
    stride_ = llvm::dyn_cast<VarDecl>(declares->getSingleDecl());
    start = stride_ != nullptr ? stride_->getInit() : nullptr;
  } else if (const auto* set = llvm::dyn_cast_or_null<BinaryOperator>(loop.getInit());
             set != nullptr && set->getOpcode() == clang::BO_Assign) {
    stride_ = variableOf(set->getLHS());
    start = set->getRHS();
  }
  if (stride_ == nullptr || start == nullptr || loop.getCond() == nullptr ||
      !stride_->getType()->isIntegerType() || loop.getInc() == nullptr)
    return false;
  const auto* compared = llvm::dyn_cast<BinaryOperator>(loop.getCond()->IgnoreParenImpCasts());
  if (isConstant(start, 1)) {
    return compared != nullptr && compared->getOpcode() == clang::BO_LT &&
           isStride(compared->getLHS()) && isBlock(compared->getRHS()) && readStep(loop.getInc());
  }
  found_.halvesFirst = true;
  const BinaryOperator* half = binaryOf(start, clang::BO_Div);
  const BinaryOperator* shifted = binaryOf(start, clang::BO_Shr);
  const bool isHalf =
      isConstant(start, block_ / 2) ||
      (half != nullptr && isBlock(half->getLHS()) && isConstant(half->getRHS(), 2)) ||
      (shifted != nullptr && isBlock(shifted->getLHS()) && isConstant(shifted->getRHS(), 1));
  const bool toEnd =
      compared == nullptr
          ? isStride(loop.getCond())
          : isStride(compared->getLHS()) &&
                ((compared->getOpcode() == clang::BO_GT && isConstant(compared->getRHS(), 0)) ||
                 (compared->getOpcode() == clang::BO_NE && isConstant(compared->getRHS(), 0)) ||
                 (compared->getOpcode() == clang::BO_GE && isConstant(compared->getRHS(), 1)));
  return isHalf && toEnd && readStep(loop.getInc());
}

/// `s *= 2` or `s <<= 1` upwards, `s /= 2` or `s >>= 1` downwards; also written out.
bool ReductionReader::readStep(const Expr* step) const {
  const auto* binary = llvm::dyn_cast<BinaryOperator>(step->IgnoreParenImpCasts());
  if (binary == nullptr || !binary->isAssignmentOp() || !isStride(binary->getLHS()))
    return false;
  clang::BinaryOperatorKind kind = binary->getOpcode();
  const Expr* by = binary->getRHS();
  if (kind == clang::BO_Assign) {
    const auto* value = llvm::dyn_cast<BinaryOperator>(by->IgnoreParenImpCasts());
    if (value == nullptr || !isStride(value->getLHS()))
      return false;
    kind = value->getOpcode();
    by = value->getRHS();
  } else {
    kind = BinaryOperator::getOpForCompoundAssignment(kind);
  }
  const auto multiply = found_.halvesFirst ? clang::BO_Div : clang::BO_Mul;
  const auto shift = found_.halvesFirst ? clang::BO_Shr : clang::BO_Shl;
  return (kind == multiply && isConstant(by, 2)) || (kind == shift && isConstant(by, 1));
}

/// `int i = 2 * s * t;`
bool ReductionReader::readIndex(const Stmt* statement) {
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (declares == nullptr || !declares->isSingleDecl() || found_.halvesFirst)
    return false;
  const auto* variable = llvm::dyn_cast<VarDecl>(declares->getSingleDecl());
  if (variable == nullptr || !variable->hasInit() || !variable->getType()->isIntegerType() ||
      whole_.changes.contains(variable) || !isProduct(variable->getInit(), 2, 1, 1))
    return false;
  index_ = variable;
  return true;
}

bool ReductionReader::isGuard(const Expr* condition) const {
  if (found_.halvesFirst) {
    const BinaryOperator* less = binaryOf(condition, clang::BO_LT);
    return less != nullptr && isThread(less->getLHS()) && isStride(less->getRHS());
  }
  if (index_ != nullptr) {
    const BinaryOperator* less = binaryOf(condition, clang::BO_LT);
    return less != nullptr && isIndex(less->getLHS()) && isBlock(less->getRHS());
  }
  const BinaryOperator* equal = binaryOf(condition, clang::BO_EQ);
  if (equal == nullptr || !isConstant(equal->getRHS(), 0))
    return false;
  if (const BinaryOperator* rest = binaryOf(equal->getLHS(), clang::BO_Rem))
    return isThread(rest->getLHS()) && isProduct(rest->getRHS(), 2, 1, 0);
  const BinaryOperator* bits = binaryOf(equal->getLHS(), clang::BO_And);
  const BinaryOperator* mask = bits != nullptr ? binaryOf(bits->getRHS(), clang::BO_Sub) : nullptr;
  return mask != nullptr && isThread(bits->getLHS()) && isProduct(mask->getLHS(), 2, 1, 0) &&
         isConstant(mask->getRHS(), 1);
}

/// `t + s < blockDim.x`, which always holds where the guard does.
bool ReductionReader::isBound(const Expr* condition) const {
  const BinaryOperator* less = binaryOf(condition, clang::BO_LT);
  return less != nullptr && isPartner(less->getLHS()) && isBlock(less->getRHS());
}

bool ReductionReader::readGuarded(const Stmt* guarded) {
  bool isGuarded = false;
  std::vector<const Stmt*> body = {guarded};
  while (body.size() == 1 && llvm::isa<clang::IfStmt>(body[0])) {
    const auto* branch = llvm::cast<clang::IfStmt>(body[0]);
    if (branch->getElse() != nullptr || branch->hasInitStorage() ||
        branch->getConditionVariable() != nullptr)
      return false;
    std::vector<const Expr*> conditions = {branch->getCond()};
    for (std::size_t i = 0; i < conditions.size(); ++i)
      if (const BinaryOperator* both = binaryOf(conditions[i], clang::BO_LAnd)) {
        conditions.push_back(both->getLHS());
        conditions.push_back(both->getRHS());
      } else if (isGuard(conditions[i])) {
        isGuarded = true;
      } else if (!isBound(conditions[i])) {
        return false;
      }
    body.clear();
    flatten(branch->getThen(), body);
  }
  return isGuarded && body.size() == 1 && readUpdate(body[0]);
}

/// The shared array whose element an expression is.
const VarDecl* ReductionReader::elementOf(const Expr* expression, const Predicate& isIndex) const {
  const auto* element =
      llvm::dyn_cast<clang::ArraySubscriptExpr>(expression->IgnoreParenImpCasts());
  if (element == nullptr || !isIndex(element->getIdx()))
    return nullptr;
  const VarDecl* array = variableOf(element->getBase());
  const bool isShared = array != nullptr && array->hasAttr<clang::CUDASharedAttr>() &&
                        array->getType()->isArrayType() &&
                        !element->getType().isVolatileQualified();
  return isShared && element->getType()->isArithmeticType() && !element->getType()->isBooleanType()
             ? array
             : nullptr;
}

bool ReductionReader::readOperands(const Expr* left, const Expr* right) {
  const VarDecl* mine = elementOf(left, [&](const Expr* each) { return isIndex(each); });
  const VarDecl* partner = elementOf(right, [&](const Expr* each) { return isPartner(each); });
  const bool same = mine != nullptr && mine == partner;
  if (same && found_.array == nullptr)
    found_.array = mine;
  return same && found_.array == mine;
}

/// `a[i] += a[i + s]`, `a[i] = a[i] + a[i + s]` or `a[i] = fmaxf(a[i], a[i + s])`.
bool ReductionReader::readUpdate(const Stmt* statement) {
  const auto* assigned = llvm::dyn_cast<BinaryOperator>(statement);
  if (assigned == nullptr || !assigned->isAssignmentOp())
    return false;
  const auto allowed = [](clang::BinaryOperatorKind kind) {
    return kind == clang::BO_Add || kind == clang::BO_Mul || kind == clang::BO_And ||
           kind == clang::BO_Or || kind == clang::BO_Xor;
  };
  if (assigned->isCompoundAssignmentOp()) {
    const auto kind = BinaryOperator::getOpForCompoundAssignment(assigned->getOpcode());
    found_.operation = BinaryOperator::getOpcodeStr(kind).str();
    return allowed(kind) && readOperands(assigned->getLHS(), assigned->getRHS());
  }
  found_.array = elementOf(assigned->getLHS(), [&](const Expr* each) { return isIndex(each); });
  const Expr* value = assigned->getRHS()->IgnoreParenImpCasts();
  if (found_.array == nullptr)
    return false;
  if (const auto* binary = llvm::dyn_cast<BinaryOperator>(value)) {
    found_.operation = binary->getOpcodeStr().str();
    return allowed(binary->getOpcode()) && readOperands(binary->getLHS(), binary->getRHS());
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
  const clang::FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
  if (callee == nullptr || call->getNumArgs() != 2)
    return false;
  found_.isFunction = true;
  found_.operation = callee->getNameAsString();
  const bool known =
      std::ranges::find(reducingFunctions, found_.operation) != reducingFunctions.end();
  return known && readOperands(call->getArg(0), call->getArg(1));
}

std::optional<ReductionLoop> ReductionReader::read(const clang::ForStmt& loop) {
  if (!readHeader(loop))
    return std::nullopt;
  std::vector<const Stmt*> body;
  flatten(loop.getBody(), body);
  const auto barriers = std::ranges::count_if(body, isBarrier);
  if (barriers != 1 || body.size() < 2)
    return std::nullopt;
  found_.barrierFirst = isBarrier(body.front());
  if (!found_.barrierFirst && !isBarrier(body.back()))
    return std::nullopt;
  std::erase_if(body, isBarrier);
  if (body.size() == 2 && readIndex(body[0]))
    body.erase(body.begin());
  if (body.size() != 1 || !readGuarded(body[0]))
    return std::nullopt;
  return found_;
}

} // namespace

std::optional<ReductionLoop> readReduction(const Source& source, const Stmt& function,
                                           const clang::ForStmt& loop, int block) {
  return ReductionReader(source, function, block).read(loop);
}

} // namespace heddle::rewrite::reduce
