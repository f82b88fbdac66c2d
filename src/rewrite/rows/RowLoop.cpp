// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rows/RowLoop.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/TreeVisitor.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace heddle::rewrite {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

constexpr int longestStep = 16; ///< a larger one is that of lanes which share the row already

const VarDecl* variableOf(const Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

/// The variable of `k`, or of `k * k`.
const VarDecl* rootOf(const Expr* expression) {
  const auto* product = llvm::dyn_cast<BinaryOperator>(expression->IgnoreParenImpCasts());
  const bool isSquare = product != nullptr && product->getOpcode() == clang::BO_Mul &&
                        variableOf(product->getLHS()) == variableOf(product->getRHS());
  return isSquare ? variableOf(product->getLHS()) : variableOf(expression);
}

class LoopReader {
public:
  LoopReader(const Source& source, const Placed& placed) : source_(source), placed_(placed) {
    loop_.loop = placed.statement;
    loop_.function = placed.around.back();
    header_ = headerOf(*placed.statement);
  }

  Legal<RowLoop> read();

private:
  tl::unexpected<Refusal> no(const char* why) const {
    return refuse(common["loop-form"], "the loop in line {} {}",
                  source_.lineOf(loop_.loop->getBeginLoc()), why);
  }
  Legal<void> readCondition();
  Legal<void> readSquare(const Expr& square);
  Legal<void> readReal();
  Legal<void> readCount();
  Legal<void> readFirst();
  Legal<void> checkSquare() const;
  Legal<void> writeBounds();
  std::set<const VarDecl*> changedInBody() const;
  Legal<void> checkBody() const;
  Legal<void> checkBounds() const;
  Legal<void> checkBehind() const;
  struct Step {
    const VarDecl* item;
    int by;
  };
  std::optional<Step> stepOf(const Expr* step) const;
  const Expr* initOf(const VarDecl& variable) const;
  std::string asItem(const Expr& value) const;
  std::string summand(const Expr& value) const;
  std::string pastEnd(const Expr& end) const;

  const Source& source_;
  const Placed& placed_;
  LoopHeader header_;
  RowLoop loop_;
  bool isClosed_ = false;   ///< `<=`
  bool isSquare_ = false;   ///< what is compared is the counter's
  std::string endFunction_; ///< that makes the end of what the loop compares to
};

/// `k < end` or `end > k`, also with <= and !=; `k > end` where it counts down.
Legal<void> LoopReader::readCondition() {
  const auto* compared = llvm::dyn_cast<BinaryOperator>(header_.condition->IgnoreParenImpCasts());
  if (compared == nullptr || !compared->isComparisonOp())
    return no("ends by more than a comparison");
  clang::BinaryOperatorKind kind = compared->getOpcode();
  const Expr *left = compared->getLHS(), *right = compared->getRHS();
  if (rootOf(left) != loop_.item && rootOf(right) == loop_.item) {
    std::swap(left, right);
    kind = BinaryOperator::isEqualityOp(kind) ? kind : BinaryOperator::reverseComparisonOp(kind);
  }
  loop_.end = right->IgnoreParenImpCasts();
  const bool isDown = loop_.step < 0;
  isClosed_ = kind == (isDown ? clang::BO_GE : clang::BO_LE);
  const bool isKnown =
      kind == (isDown ? clang::BO_GT : clang::BO_LT) || isClosed_ || kind == clang::BO_NE;
  if (rootOf(left) != loop_.item || !isKnown || !loop_.item->hasLocalStorage() ||
      loop_.item->getType()->isReferenceType())
    return no("does not compare a counter to its last item");
  const clang::QualType type = loop_.item->getType();
  if (!(type->isIntegerType() && !type->isBooleanType()) && !type->isPointerType())
    return no("does not count an integer or a pointer");
  if (isClosed_ && type->isPointerType())
    return no("compares a pointer by <= or >=");
  if (isClosed_ && isDown && !left->getType()->isSignedIntegerType())
    return no("counts an unsigned number down by >=");
  if (kind == clang::BO_NE && std::abs(loop_.step) != 1)
    return no("may step past its end");
  const bool isSquare = variableOf(left) != loop_.item;
  if (!isSquare && !loop_.end->getType()->isFloatingType())
    return {};
  if (isDown || kind == clang::BO_NE)
    return no("does not count up to its end");
  return isSquare ? readSquare(*left) : readReal();
}

/// `k * k <= end`, from a number that is not negative: the squares grow until they are too large
/// for their type. Then the loop of a signed one has no meaning, and an unsigned one wraps around.
Legal<void> LoopReader::readSquare(const Expr& square) {
  const clang::QualType type = square.IgnoreParenImpCasts()->getType().getUnqualifiedType();
  const clang::QualType given = loop_.end->getType().getUnqualifiedType();
  const bool isAlike = given->isIntegerType() &&
                       given->isSignedIntegerType() == type->isSignedIntegerType() &&
                       source_.ast().getTypeSize(given) <= source_.ast().getTypeSize(type);
  if (!isAlike)
    return no("compares a square to a number of another kind");
  endFunction_ = isClosed_ ? "heddle::square_above" : "heddle::square_from";
  if (!source_.ast().hasSameType(type, given))
    endFunction_ += fmt::format("<{}>", type.getAsString(source_.ast().getPrintingPolicy()));
  isSquare_ = true;
  return {};
}

/// `k <= sqrtf(n)`
Legal<void> LoopReader::readReal() {
  const clang::QualType type = loop_.item->getType();
  if (!type->isIntegerType() || source_.ast().getTypeSize(type) > 32)
    return no("compares a counter of 64 bits to a floating-point number");
  const char* name = isClosed_ ? "whole_above" : "whole_from";
  endFunction_ =
      fmt::format("heddle::{}<{}>", name,
                  type.getUnqualifiedType().getAsString(source_.ast().getPrintingPolicy()));
  return {};
}

/// What a step changes, and by how much: `++k`, `k -= 2`, `k = k + 3`.
std::optional<LoopReader::Step> LoopReader::stepOf(const Expr* step) const {
  step = step->IgnoreParenImpCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(step)) {
    const VarDecl* item =
        unary->isIncrementDecrementOp() ? variableOf(unary->getSubExpr()) : nullptr;
    return item != nullptr ? std::optional(Step{item, unary->isIncrementOp() ? 1 : -1})
                           : std::nullopt;
  }
  const auto* binary = llvm::dyn_cast<BinaryOperator>(step);
  const VarDecl* item = binary != nullptr ? variableOf(binary->getLHS()) : nullptr;
  if (item == nullptr)
    return std::nullopt;
  const auto* sum = llvm::dyn_cast<BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
  const bool isLong = binary->getOpcode() == clang::BO_Assign && sum != nullptr &&
                      sum->isAdditiveOp() && variableOf(sum->getLHS()) == item;
  const bool isUp =
      binary->getOpcode() == clang::BO_AddAssign || (isLong && sum->getOpcode() == clang::BO_Add);
  if (!isUp && !isLong && binary->getOpcode() != clang::BO_SubAssign)
    return std::nullopt;
  const Expr* by = isLong ? sum->getRHS() : binary->getRHS();
  Expr::EvalResult result;
  if (!by->getType()->isIntegerType() || by->isValueDependent() ||
      !by->EvaluateAsInt(result, source_.ast()) || !result.Val.getInt().isStrictlyPositive() ||
      result.Val.getInt().ugt(longestStep))
    return std::nullopt;
  const int length = int(result.Val.getInt().getExtValue());
  return Step{item, isUp ? length : -length};
}

/// In the header, or as the last statement of a `while`.
Legal<void> LoopReader::readCount() {
  if (header_.testsLast || header_.condition == nullptr ||
      conditionVariable(*loop_.loop) != nullptr)
    return no("has no condition in front of its items");
  loop_.body = header_.body;
  const Expr* step = header_.step;
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(header_.body);
  if (step == nullptr && block != nullptr && !block->body_empty()) {
    loop_.lastStatement = block->body_back();
    step = llvm::dyn_cast<Expr>(loop_.lastStatement);
  }
  const auto found = step != nullptr ? stepOf(step) : std::nullopt;
  if (!found)
    return no("does not count up or down by a constant of 1 to 16 at its end");
  loop_.item = found->item;
  loop_.step = found->by;
  if (loop_.lastStatement != nullptr && !findExits(*header_.body).continues.empty())
    return no("does not count where it goes on early");
  return {};
}

/// The value of a variable that the loop's first part declares; nullptr: there is none.
const Expr* LoopReader::initOf(const VarDecl& variable) const {
  const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(header_.init);
  const bool isHere = declares != nullptr && std::find(declares->decl_begin(), declares->decl_end(),
                                                       &variable) != declares->decl_end();
  return isHere && variable.getInitStyle() == VarDecl::CInit ? variable.getInit() : nullptr;
}

Legal<void> LoopReader::readFirst() {
  const Stmt* init = header_.init;
  if (init == nullptr || llvm::isa<clang::NullStmt>(init))
    return {};
  if (const auto* set = llvm::dyn_cast<BinaryOperator>(init);
      set != nullptr && set->getOpcode() == clang::BO_Assign &&
      variableOf(set->getLHS()) == loop_.item) {
    loop_.begin = set->getRHS();
    return {};
  }
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(init);
  loop_.begin = initOf(*loop_.item);
  if (declares == nullptr || loop_.begin == nullptr)
    return no("begins with more than its counter");
  for (const clang::Decl* each : declares->decls()) {
    const auto* variable = llvm::dyn_cast<VarDecl>(each);
    if (variable == loop_.item)
      continue;
    const bool isEnd = variable != nullptr && variable == variableOf(loop_.end);
    const std::vector<const VarDecl*> used = variablesIn(*header_.body);
    if (!isEnd || std::ranges::find(used, variable) != used.end() || initOf(*variable) == nullptr)
      return no("declares more than its counter and its end");
    loop_.end = initOf(*variable)->IgnoreParenImpCasts();
  }
  return {};
}

/// A square is the same for -3 and 3.
Legal<void> LoopReader::checkSquare() const {
  Expr::EvalResult result;
  const bool isKnown = loop_.begin != nullptr && !loop_.begin->isValueDependent() &&
                       loop_.begin->EvaluateAsInt(result, source_.ast());
  if (isSquare_ && !(isKnown && result.Val.getInt().isNonNegative()))
    return no("compares a square and does not begin with a constant");
  return {};
}

/// The value with the counter's type, which the library takes for the item's.
std::string LoopReader::asItem(const Expr& value) const {
  const clang::ASTContext& ast = source_.ast();
  const std::string text = source_.textOf(value.getSourceRange());
  const clang::QualType type = loop_.item->getType().getUnqualifiedType();
  const clang::QualType given = value.IgnoreImpCasts()->getType().getUnqualifiedType();
  if (ast.hasSameType(type, given) || text.empty() || given->isArrayType())
    return text;
  if (ast.hasSameType(type, ast.UnsignedIntTy) &&
      llvm::isa<clang::IntegerLiteral>(value.IgnoreImpCasts()))
    return text + "u";
  const clang::TypeSourceInfo* info = loop_.item->getTypeSourceInfo();
  const std::string written =
      info != nullptr ? source_.textOf(info->getTypeLoc().getUnqualifiedLoc().getSourceRange())
                      : "";
  const bool isWord = written.find_first_of(" *<:") == std::string::npos && !written.empty();
  return isWord ? fmt::format("{}({})", written, text)
                : fmt::format("static_cast<{}>({})", written, text);
}

/// As an operand of + or -.
std::string LoopReader::summand(const Expr& value) const {
  const std::string text = source_.textOf(value.getSourceRange());
  const auto* binary = llvm::dyn_cast<BinaryOperator>(&value);
  const bool bindsLess =
      llvm::isa<clang::ConditionalOperator>(value) ||
      (binary != nullptr && !binary->isAdditiveOp() && !binary->isMultiplicativeOp());
  return bindsLess ? "(" + text + ")" : text;
}

/// "n" for `k <= n - 1`, else "n + 1"; "n - 1" where it counts down.
std::string LoopReader::pastEnd(const Expr& end) const {
  Expr::EvalResult result;
  const bool isZero = !end.isValueDependent() && end.EvaluateAsInt(result, source_.ast()) &&
                      result.Val.getInt().isZero();
  if (loop_.step < 0)
    return isZero ? "-1" : summand(end) + " - 1";
  const auto* binary = llvm::dyn_cast<BinaryOperator>(&end);
  const auto* one =
      binary != nullptr
          ? llvm::dyn_cast<clang::IntegerLiteral>(binary->getRHS()->IgnoreParenImpCasts())
          : nullptr;
  if (one != nullptr && binary->getOpcode() == clang::BO_Sub && one->getValue() == 1)
    return source_.textOf(binary->getLHS()->getSourceRange());
  return summand(end) + " + 1";
}

Legal<void> LoopReader::writeBounds() {
  loop_.beginText = loop_.begin != nullptr ? asItem(*loop_.begin) : loop_.item->getNameAsString();
  const bool isNarrow = source_.ast().getTypeSize(loop_.end->getType()) <
                        source_.ast().getTypeSize(loop_.item->getType());
  loop_.endText = !endFunction_.empty()
                      ? endFunction_ + "(" + source_.textOf(loop_.end->getSourceRange()) + ")"
                  : isClosed_ && isNarrow ? asItem(*loop_.end) + (loop_.step < 0 ? " - 1" : " + 1")
                  : isClosed_             ? pastEnd(*loop_.end)
                                          : source_.textOf(loop_.end->getSourceRange());
  const bool isText = source_.rangeOf(*loop_.loop) && source_.rangeOf(*loop_.body) &&
                      !loop_.beginText.empty() && source_.rangeOf(loop_.end->getSourceRange()) &&
                      (loop_.lastStatement == nullptr || source_.rangeOf(*loop_.lastStatement));
  if (!isText)
    return refuse(common["macro-in-the-way"], "the loop in line {} begins or ends in a macro",
                  source_.lineOf(loop_.loop->getBeginLoc()));
  loop_.range = *source_.rangeOf(*loop_.loop);
  loop_.bodyRange = *source_.insideOf(*loop_.body);
  if (loop_.lastStatement != nullptr)
    loop_.bodyRange.end = source_.rangeOf(*loop_.lastStatement)->begin;
  const std::size_t behind = source_.text().find_first_not_of(" \t", loop_.range.end);
  if (!llvm::isa<clang::CompoundStmt>(loop_.body) && source_.text().compare(behind, 2, "//") == 0)
    loop_.range.end = loop_.bodyRange.end = source_.text().find('\n', behind);
  return {};
}

/// Names of a variable, but for those in one statement.
class Uses final : public TreeVisitor {
public:
  Uses(const VarDecl& variable, const Stmt* but) : variable_(variable), but_(but) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    return statement == but_ || inside();
  }
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    if (operation->getOpcode() == clang::BO_Assign && variableOf(operation->getLHS()) == &variable_)
      set.insert(operation->getLHS()->IgnoreParens());
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    const auto* first = llvm::dyn_cast_or_null<BinaryOperator>(loop->getInit());
    if (first != nullptr && first->getOpcode() == clang::BO_Assign &&
        variableOf(first->getLHS()) == &variable_)
      begunAnew.push_back(loop);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == &variable_)
      names.push_back(name);
    return true;
  }

  std::vector<const clang::DeclRefExpr*> names;
  std::set<const Expr*> set; ///< those that are only assigned
  std::vector<const clang::ForStmt*> begunAnew;

private:
  const VarDecl& variable_;
  const Stmt* but_;
};

/// What the body changes, but for what counts.
std::set<const VarDecl*> LoopReader::changedInBody() const {
  if (loop_.lastStatement == nullptr)
    return modifiedIn(*loop_.body);
  std::set<const VarDecl*> changed;
  for (const Stmt* each : llvm::cast<clang::CompoundStmt>(loop_.body)->body())
    if (each != loop_.lastStatement)
      changed.merge(modifiedIn(*each));
  return changed;
}

Legal<void> LoopReader::checkBody() const {
  if (changedInBody().contains(loop_.item))
    return no("changes its counter in its body");
  return {};
}

Legal<void> LoopReader::checkBounds() const {
  const auto change = [&](const std::string& what) {
    return refuse(common["bounds-change"], "the loop in line {} may change {}, which ends it",
                  source_.lineOf(loop_.loop->getBeginLoc()), what);
  };
  const Effects asked = effectsOf(*loop_.end);
  if (!asked.pure() || (loop_.begin != nullptr && !effectsOf(*loop_.begin).pure()))
    return no("changes something where it reads its bounds");
  const std::set<const VarDecl*> changed = changedInBody();
  for (const VarDecl* each : asked.reads)
    if (each == loop_.item || changed.contains(each))
      return change(each->getNameAsString());
  const MemoryUses uses(*loop_.function);
  if (const Memory* memory = findConflict(uses.of(*header_.condition), uses.of(*loop_.body)))
    return change(memory->name());
  return {};
}

/// A counter from outside of the loop has another value behind it now.
Legal<void> LoopReader::checkBehind() const {
  Uses uses(*loop_.item, loop_.loop);
  uses.TraverseStmt(const_cast<Stmt*>(loop_.function));
  const auto isAnew = [&](const clang::DeclRefExpr& name) {
    return uses.set.contains(&name) ||
           std::ranges::any_of(uses.begunAnew, [&](const clang::ForStmt* loop) {
             return loop->getBeginLoc() < name.getLocation() &&
                    name.getLocation() < loop->getEndLoc();
           });
  };
  const Stmt* outer = placed_.loop();
  const bool livesOn = outer != nullptr && loop_.item->getLocation() < outer->getBeginLoc();
  for (const clang::DeclRefExpr* name : uses.names)
    if ((livesOn || loop_.loop->getEndLoc() < name->getLocation()) && !isAnew(*name))
      return refuse(common["counter-used-behind"], "line {} uses {} behind the loop",
                    source_.lineOf(name->getLocation()), loop_.item->getNameAsString());
  return {};
}

Legal<RowLoop> LoopReader::read() {
  for (const auto step : {&LoopReader::readCount, &LoopReader::readCondition,
                          &LoopReader::readFirst, &LoopReader::writeBounds})
    if (auto legal = (this->*step)(); !legal)
      return tl::unexpected(legal.error());
  for (const auto check : {&LoopReader::checkSquare, &LoopReader::checkBody,
                           &LoopReader::checkBounds, &LoopReader::checkBehind})
    if (auto legal = (this->*check)(); !legal)
      return tl::unexpected(legal.error());
  return loop_;
}

} // namespace

Legal<RowLoop> readRowLoop(const Source& source, const Placed& placed) {
  return LoopReader(source, placed).read();
}

std::optional<BranchStatement> rowLoopOf(const BranchStatement& branch) {
  if (isLoop(*branch.statement))
    return branch;
  if (branch.loop() == nullptr || findExits(*branch.statement).breaks.empty())
    return std::nullopt;
  BranchStatement loop{loopAround(branch), branch.function, {}};
  for (const Placed& instance : branch.instances)
    loop.instances.push_back(loopAround(instance));
  return loop;
}

} // namespace heddle::rewrite
