// SPDX-License-Identifier: Apache-2.0
#include "rewrite/predicate/SelectAssignments.h"

#include "rewrite/arms/ArmMatch.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/predicate/Refusals.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite::predicate {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::IfStmt;
using clang::Stmt;

constexpr std::size_t mostAssignments = 3; ///< of an arm: more are better jumped over

std::vector<const Stmt*> statementsOf(const Stmt* arm) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(arm);
  if (block != nullptr)
    return {block->body_begin(), block->body_end()};
  return arm != nullptr ? std::vector<const Stmt*>{arm} : std::vector<const Stmt*>{};
}

/// What must not run where it would not have run: accesses of memory, divisions of integers.
class FaultFinder final : public TreeVisitor {
public:
  explicit FaultFinder(const Source& source) : source_(source) {}

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    return add(*element);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    return operation->getOpcode() != clang::UO_Deref || add(*operation);
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return !member->isArrow() || add(*member);
  }
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    const bool divides =
        operation->getOpcode() == clang::BO_Div || operation->getOpcode() == clang::BO_Rem;
    Expr::EvalResult divisor;
    const bool isConstant = !operation->getRHS()->isValueDependent() &&
                            operation->getRHS()->EvaluateAsInt(divisor, source_.ast());
    if (divides && !operation->getType()->isFloatingType() && !isConstant)
      add(*operation);
    return true;
  }

  std::set<std::string> found; ///< their texts

private:
  bool add(const Expr& expression) {
    found.insert(source_.textOf(expression.getSourceRange()));
    return true;
  }
  const Source& source_;
};

std::set<std::string> faultsIn(const Source& source, const Expr& expression) {
  FaultFinder finder(source);
  finder.TraverseStmt(const_cast<Expr*>(&expression));
  return finder.found;
}

/// The part of a condition that is evaluated in any case.
const Expr* firstAsked(const Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  while (const auto* both = llvm::dyn_cast<BinaryOperator>(condition)) {
    if (!both->isLogicalOp())
      break;
    condition = both->getLHS()->IgnoreParenImpCasts();
  }
  return condition;
}

class AssignmentSelector {
public:
  AssignmentSelector(const Source& source, const IfStmt& branch)
      : source_(source), branch_(branch) {}

  Legal<void> check();
  std::vector<std::string> texts(const std::string& condition) const;
  bool isReadable() const;

private:
  Legal<void> checkArm(const Stmt& arm) const;
  Legal<void> checkAssignment(const Stmt& statement) const;
  Legal<void> checkValue(const Expr& value) const;
  std::string valueText(const BinaryOperator& assignment) const;
  std::string textOf(const Expr& expression) const {
    return source_.textOf(expression.getSourceRange());
  }

  const Source& source_;
  const IfStmt& branch_;
};

Legal<void> AssignmentSelector::checkValue(const Expr& value) const {
  const int line = source_.lineOf(value.getBeginLoc());
  if (!effectsOf(value).pure())
    return refuse(refusals["side-effects"], "line {} does more than compute a value", line);
  if (!isSimpleOperand(value))
    return refuse(refusals["arms-too-long"], "line {} computes more than a few operators do", line);
  const std::set<std::string> anyway = faultsIn(source_, *firstAsked(branch_.getCond()));
  for (const std::string& fault : faultsIn(source_, value))
    if (!anyway.contains(fault))
      return refuse(refusals["may-fault"],
                    "line {} computes {}, which may fault where the branch is not taken", line,
                    fault);
  return {};
}

Legal<void> AssignmentSelector::checkAssignment(const Stmt& statement) const {
  const int line = source_.lineOf(statement.getBeginLoc());
  const auto* assignment = llvm::dyn_cast<BinaryOperator>(&statement);
  if (assignment == nullptr || !assignment->isAssignmentOp())
    return refuse(refusals["side-effects"], "line {} does more than assign", line);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
  const auto* variable =
      name != nullptr ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable == nullptr || !variable->hasLocalStorage() || variable->getType()->isReferenceType())
    return refuse(refusals["store-in-one-arm"],
                  "line {} stores to memory, which the other arm does not", line);
  const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(assignment);
  const Expr* value = assignment->getRHS();
  const clang::QualType type = variable->getType().getCanonicalType().getUnqualifiedType();
  const clang::QualType made = (compound != nullptr ? compound->getComputationResultType()
                                                    : value->IgnoreParenImpCasts()->getType())
                                   .getCanonicalType()
                                   .getUnqualifiedType();
  if (!type->isScalarType() || (type != made && !(type->isIntegerType() && made->isIntegerType())))
    return refuse(refusals["types-differ"], "line {} assigns a value of type {} to {} of type {}",
                  line, made.getAsString(), variable->getNameAsString(), type.getAsString());
  return checkValue(*value);
}

Legal<void> AssignmentSelector::checkArm(const Stmt& arm) const {
  const std::vector<const Stmt*> statements = statementsOf(&arm);
  if (statements.size() > mostAssignments)
    return refuse(refusals["arms-too-long"], "line {} begins an arm of {} statements, more than {}",
                  source_.lineOf(arm.getBeginLoc()), statements.size(), mostAssignments);
  if (auto talks = refuseCommunication(source_, arm); !talks)
    return talks;
  for (const Stmt* statement : statements)
    if (auto legal = checkAssignment(*statement); !legal)
      return legal;
  return {};
}

Legal<void> AssignmentSelector::check() {
  if (branch_.isConstexpr())
    return refuse(refusals["not-an-if"],
                  "the branch is not an if statement that is decided at run time");
  if (branch_.getConditionVariable() != nullptr || branch_.hasInitStorage())
    return refuse(refusals["unhoistable-declaration"],
                  "the branch declares a variable in its condition");
  for (const Stmt* arm : {branch_.getThen(), branch_.getElse()})
    if (arm != nullptr)
      if (auto legal = checkArm(*arm); !legal)
        return legal;
  return {};
}

bool AssignmentSelector::isReadable() const {
  const auto reads = [&](const Stmt* each) {
    const auto* assignment = llvm::dyn_cast<BinaryOperator>(each);
    return assignment != nullptr && source_.rangeOf(assignment->getLHS()->getSourceRange()) &&
           source_.rangeOf(assignment->getRHS()->getSourceRange());
  };
  return std::ranges::all_of(statementsOf(branch_.getThen()), reads) &&
         std::ranges::all_of(statementsOf(branch_.getElse()), reads);
}

/// `x + a` for `x += a`.
std::string AssignmentSelector::valueText(const BinaryOperator& assignment) const {
  const std::string value = choiceOperand(source_, *assignment.getRHS());
  const Expr* bare = assignment.getRHS()->IgnoreImplicit();
  if (!assignment.isCompoundAssignmentOp())
    return value;
  const auto kind = BinaryOperator::getOpForCompoundAssignment(assignment.getOpcode());
  const auto* binary = llvm::dyn_cast<BinaryOperator>(bare);
  const bool tighter =
      binary != nullptr && binary->isMultiplicativeOp() && BinaryOperator::isAdditiveOp(kind);
  return fmt::format("{} {} {}", textOf(*assignment.getLHS()),
                     BinaryOperator::getOpcodeStr(kind).str(),
                     binary != nullptr && !tighter ? "(" + value + ")" : value);
}

std::vector<std::string> AssignmentSelector::texts(const std::string& condition) const {
  const std::vector<const Stmt*> taken = statementsOf(branch_.getThen());
  const std::vector<const Stmt*> other = statementsOf(branch_.getElse());
  const auto variable = [&](const Stmt* each) {
    return textOf(*llvm::cast<BinaryOperator>(each)->getLHS());
  };
  const auto value = [&](const Stmt* each) { return valueText(*llvm::cast<BinaryOperator>(each)); };
  if (taken.size() == 1 && other.size() == 1 && variable(taken[0]) == variable(other[0]))
    return {fmt::format("{} = {} ? {} : {};", variable(taken[0]), condition, value(taken[0]),
                        value(other[0]))};
  std::vector<std::string> lines;
  for (const Stmt* each : taken)
    lines.push_back(fmt::format("{0} = {1} ? {2} : {0};", variable(each), condition, value(each)));
  for (const Stmt* each : other)
    lines.push_back(fmt::format("{0} = {1} ? {0} : {2};", variable(each), condition, value(each)));
  return lines;
}

} // namespace

Legal<Edits> selectAssignments(const Source& source, const Target& target) {
  const BranchStatement& branch = *target.branch;
  for (const Placed& instance : branch.instances) {
    const auto* decided = llvm::dyn_cast<IfStmt>(instance.statement);
    if (decided == nullptr)
      return refuse(refusals["not-an-if"],
                    "the branch is not an if statement that is decided at run time");
    if (auto legal = AssignmentSelector(source, *decided).check(); !legal)
      return tl::unexpected(legal.error());
  }
  const auto* decided = llvm::cast<IfStmt>(branch.statement);
  const auto range = source.rangeOf(*decided);
  const auto condition = source.rangeOf(decided->getCond()->getSourceRange());
  const AssignmentSelector selector(source, *decided);
  if (!range || !condition || !selector.isReadable())
    return refuse(refusals["macro-in-the-way"],
                  "the branch in line {} is partly written by a macro",
                  source.lineOf(decided->getBeginLoc()));
  std::vector<std::string> lines = selector.texts(choiceOperand(source, *decided->getCond()));
  if (lines.size() > 1) {
    const std::string name = FreshNames(source, *branch.function).make("first");
    lines = selector.texts(name);
    lines.insert(lines.begin(),
                 fmt::format("const bool {} = {};", name, source.textOf(*condition)));
  }
  const bool braces = lines.size() > 1 && needsScope(branch);
  const std::string outer = source.indentAt(range->begin);
  const std::string indent = braces ? outer + source.indentUnit() : outer;
  Edits edits;
  edits.replace(*range, (braces ? "{\n" + indent : "") +
                            fmt::format("{}", fmt::join(lines, "\n" + indent)) +
                            (braces ? "\n" + outer + "}" : ""));
  return edits;
}

} // namespace heddle::rewrite::predicate
