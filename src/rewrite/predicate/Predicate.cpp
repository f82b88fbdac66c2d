// SPDX-License-Identifier: Apache-2.0
//
//   1. The branch must be an if with two arms that do not talk, in every instance of a template.
//   2. Operands that differ between the arms, see arms/ArmMatch.h.
//   3. Those that nothing in the arms changes, and that are used again and again, get a name in
//      front; the others are chosen in place.
//   4. The first arm takes the place of the branch.
#include "rewrite/predicate/Predicate.h"

#include "rewrite/arms/ArmMatch.h"
#include "rewrite/arms/Operands.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/predicate/Refusals.h"
#include "rewrite/predicate/SelectAssignments.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <optional>

namespace heddle::rewrite::predicate {
namespace {

using clang::Expr;
using clang::IfStmt;
using clang::Stmt;

class OperandChooser {
public:
  OperandChooser(const Source& source, const Target& target)
      : source_(source), branch_(*target.branch), names_(source, *target.branch->function) {}

  Legal<Edits> rewrite();

private:
  Legal<void> check();
  Legal<void> collect();
  Legal<void> nameCondition();
  bool isWholeArm(const Choice& choice) const;
  bool needsBraces() const;
  std::string text() const;

  const Source& source_;
  const BranchStatement& branch_;
  FreshNames names_;
  const IfStmt* if_ = nullptr;
  std::optional<Operands> operands_;
  std::string condition_;          ///< as it stands in a choice
  std::vector<std::string> front_; ///< statements
  Edits inside_;                   ///< the first arm
};

Legal<const IfStmt*> plainIf(const Stmt& statement) {
  const auto* branch = llvm::dyn_cast<IfStmt>(&statement);
  if (branch == nullptr || branch->isConstexpr())
    return refuse(refusals["not-an-if"],
                  "the branch is not an if statement that is decided at run time");
  if (branch->getConditionVariable() != nullptr || branch->hasInitStorage())
    return refuse(refusals["unhoistable-declaration"],
                  "the branch declares a variable in its condition");
  if (branch->getElse() == nullptr)
    return refuse(refusals["arms-differ"], "the branch has no else to hold against its first arm");
  return branch;
}

/// Step 1, and whether the arms match in each instance, where types are known.
Legal<void> OperandChooser::check() {
  for (const Placed& instance : branch_.instances) {
    const auto branch = plainIf(*instance.statement);
    if (!branch)
      return tl::unexpected(branch.error());
    for (const Stmt* arm : {(*branch)->getThen(), (*branch)->getElse()})
      if (auto talks = refuseCommunication(source_, *arm); !talks)
        return talks;
    if (const auto matched =
            matchArms(source_, *(*branch)->getThen(), *(*branch)->getElse(), false);
        !matched)
      return tl::unexpected(matched.error());
  }
  return {};
}

/// Step 2.
Legal<void> OperandChooser::collect() {
  const auto branch = plainIf(*branch_.statement);
  if (!branch)
    return tl::unexpected(branch.error());
  if_ = *branch;
  auto matched =
      matchArms(source_, *if_->getThen(), *if_->getElse(), branch_.function->isDependentContext());
  if (!matched)
    return tl::unexpected(matched.error());
  const bool readable = source_.insideOf(*if_->getThen()) && source_.rangeOf(*if_) &&
                        source_.rangeOf(if_->getCond()->getSourceRange());
  if (!readable)
    return refuse(refusals["macro-in-the-way"], "the branch begins or ends in a macro");
  operands_.emplace(source_, std::move(*matched),
                    ArmEffects{*if_->getThen(), *if_->getElse(), *branch_.function->getBody()});
  return operands_->check();
}

/// Step 3: the condition is evaluated once, in front, unless it is a variable or has one use.
Legal<void> OperandChooser::nameCondition() {
  const std::string text = choiceOperand(source_, *if_->getCond());
  const Expr* condition = if_->getCond()->IgnoreParenImpCasts();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition);
  const auto* variable =
      name != nullptr ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const bool stays = variable != nullptr && operands_->effects().keep(*variable);
  const std::vector<Choice>& choices = operands_->choices();
  const bool once =
      operands_->kinds() == 1 && (operands_->isHoisted(choices[0]) || isWholeArm(choices[0]));
  if (choices.empty()) {
    if (!effectsOf(*if_->getCond()).pure())
      return refuse(refusals["side-effects"],
                    "the arms are the same, but the condition in line {} does something",
                    source_.lineOf(condition->getBeginLoc()));
  } else if (stays || once) {
    condition_ = text;
  } else {
    condition_ = names_.make("first");
    front_.push_back(fmt::format("const bool {} = {};", condition_, text));
  }
  return {};
}

/// Whether the arm is `x = a;`.
bool OperandChooser::isWholeArm(const Choice& choice) const {
  const Stmt* arm = if_->getThen();
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(arm);
      block != nullptr && block->size() == 1)
    arm = block->body_front();
  const auto* assigned = llvm::dyn_cast<clang::BinaryOperator>(arm);
  return assigned != nullptr && assigned->isAssignmentOp() &&
         llvm::isa<clang::DeclRefExpr>(assigned->getLHS()) &&
         assigned->getRHS()->IgnoreParenImpCasts() == choice.first->IgnoreParenImpCasts();
}

/// Names must not meet others of the block, and no jump may pass a declaration.
bool OperandChooser::needsBraces() const {
  if (needsScope(branch_))
    return true;
  const auto* arm = llvm::dyn_cast<clang::CompoundStmt>(if_->getThen());
  return arm != nullptr && std::ranges::any_of(arm->body(), [](const Stmt* each) {
           return llvm::isa<clang::DeclStmt>(each);
         });
}

/// Step 4.
std::string OperandChooser::text() const {
  const Range range = *source_.rangeOf(*if_);
  const std::string outer = source_.indentAt(range.begin);
  const bool braces = needsBraces();
  const std::string indent = braces ? outer + source_.indentUnit() : outer;
  std::string text = braces ? "{\n" : "";
  for (const std::string& statement : front_)
    text += indent + statement + "\n";
  const Range arm = *source_.insideOf(*if_->getThen());
  const std::size_t begin =
      llvm::isa<clang::CompoundStmt>(if_->getThen()) ? arm.begin : source_.lineBegin(arm.begin);
  const bool wholeLines = source_.text().find_first_not_of(" \t", begin) >= arm.begin;
  text +=
      indented(inside_.apply(source_.text(), {wholeLines ? begin : arm.begin, arm.end}), indent);
  text += braces ? "\n" + outer + "}" : "";
  return braces ? text : text.substr(outer.size());
}

Legal<Edits> OperandChooser::rewrite() {
  if (auto legal = check(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = collect(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = nameCondition(); !legal)
    return tl::unexpected(legal.error());
  inside_ = operands_->choose(condition_, names_, front_);
  Edits edits;
  edits.replace(*source_.rangeOf(*if_), text());
  return edits;
}

constexpr std::string_view forms[] = {"choose-operands", "both-sides"};

} // namespace

Legal<std::vector<Proposal>> proposePredicated(const Source& source, const Target& target) {
  auto chosen = OperandChooser(source, target).rewrite();
  if (chosen)
    return std::vector<Proposal>{{"choose-operands", std::move(*chosen)}};
  if (!chosen.error().is(refusals["arms-differ"]))
    return tl::unexpected(chosen.error());
  auto selected = selectAssignments(source, target);
  if (selected)
    return std::vector<Proposal>{{"both-sides", std::move(*selected)}};
  const auto* branch = llvm::dyn_cast<IfStmt>(target.branch->statement);
  const bool isShort = !selected.error().is(refusals["arms-too-long"]) &&
                       !selected.error().is(refusals["side-effects"]);
  const bool oneArm = branch != nullptr && branch->getElse() == nullptr;
  return tl::unexpected(isShort || oneArm ? selected.error() : chosen.error());
}

const Rewrite room{
    .name = "predicate",
    .summary = "turn a branch into straight code: choose operands, then run once",
    .forms = forms,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposePredicated,
};

} // namespace heddle::rewrite::predicate
