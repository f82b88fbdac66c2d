// SPDX-License-Identifier: Apache-2.0
//
//   1. The branch must be an if with two arms that do not talk, in every instance of a template.
//   2. Operands that differ between the arms, see ArmMatch.h.
//   3. Those that nothing in the arms changes, and that are used again and again, get a name in
//      front; the others are chosen in place.
//   4. The first arm takes the place of the branch.
#include "rewrite/predicate/Predicate.h"

#include "rewrite/code/Communication.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/predicate/ArmMatch.h"
#include "rewrite/predicate/Refusals.h"
#include "rewrite/predicate/SelectAssignments.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <map>

namespace heddle::rewrite::predicate {
namespace {

using clang::Expr;
using clang::IfStmt;
using clang::Stmt;

/// Whether the value may be taken in front of the arms, whether or not they would have come to it.
class HoistCheck final : public TreeVisitor {
public:
  /// `whole`: what the function does.
  HoistCheck(const Effects& arms, const Effects& whole) : arms_(arms), whole_(whole) {}

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return legal = false; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr)
      return true;
    const bool changes =
        arms_.changes.contains(variable) || (arms_.stores && whole_.exposed.contains(variable));
    const bool stays = variable->getType()->isArrayType() || !changes;
    return legal = legal && stays && !arms_.declares.contains(variable);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const clang::BinaryOperatorKind kind = operation->getOpcode();
    const bool traps =
        (kind == clang::BO_Div || kind == clang::BO_Rem) && !operation->getType()->isFloatingType();
    return legal = legal && !traps;
  }

  bool legal = true;

private:
  const Effects& arms_;
  const Effects& whole_;
};

class OperandChooser {
public:
  OperandChooser(const Source& source, const Target& target)
      : source_(source), branch_(*target.branch), names_(source, *target.branch->function) {}

  Legal<Edits> rewrite();

private:
  Legal<void> check();
  Legal<void> collect();
  Legal<void> nameCondition();
  void edit(const Choice& choice);
  bool isWholeArm(const Choice& choice) const;
  bool isHoisted(const Choice& choice) const;
  std::string keyOf(const Choice& choice) const;
  bool needsBraces() const;
  std::string text() const;

  const Source& source_;
  const BranchStatement& branch_;
  FreshNames names_;
  const IfStmt* if_ = nullptr;
  std::vector<Choice> choices_;
  std::map<std::string, int> uses_;              ///< of a choice's text
  Effects arms_;                                 ///< of both
  Effects whole_;                                ///< of the function
  std::string condition_;                        ///< as it stands in a choice
  std::vector<std::string> front_;               ///< statements
  std::map<std::string, std::string> constants_; ///< by a choice's text, their names
  Edits inside_;                                 ///< the first arm
};

bool declaresName(const Effects& code, llvm::StringRef name) {
  return std::ranges::any_of(code.declares,
                             [&](const clang::VarDecl* each) { return each->getName() == name; });
}

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
  choices_ = std::move(*matched);
  const Effects first = effectsOf(*if_->getThen());
  arms_ = first;
  const Effects other = effectsOf(*if_->getElse());
  arms_.changes.insert(other.changes.begin(), other.changes.end());
  arms_.stores = arms_.stores || other.stores;
  whole_ = effectsOf(*branch_.function->getBody());
  arms_.declares.insert(other.declares.begin(), other.declares.end());
  const bool readable = source_.insideOf(*if_->getThen()) && source_.rangeOf(*if_) &&
                        source_.rangeOf(if_->getCond()->getSourceRange());
  if (!readable)
    return refuse(refusals["macro-in-the-way"], "the branch begins or ends in a macro");
  for (const Choice& choice : choices_) {
    if (!source_.rangeOf(choice.first->getSourceRange()) ||
        !source_.rangeOf(choice.other->getSourceRange()))
      return refuse(refusals["macro-in-the-way"], "line {} has an operand that is part of a macro",
                    source_.lineOf(choice.first->getBeginLoc()));
    for (const clang::VarDecl* outer : effectsOf(*choice.other).reads)
      if (!other.declares.contains(outer) && declaresName(first, outer->getName()))
        return refuse(refusals["arms-differ"], "line {} means another {} than the first arm",
                      source_.lineOf(choice.other->getBeginLoc()), outer->getNameAsString());
  }
  return {};
}

/// Step 3: the condition is evaluated once, in front, unless it is a variable or has one use.
Legal<void> OperandChooser::nameCondition() {
  const std::string text = choiceOperand(source_, *if_->getCond());
  const Expr* condition = if_->getCond()->IgnoreParenImpCasts();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition);
  const auto* variable =
      name != nullptr ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const bool stays = variable != nullptr && variable->hasLocalStorage() &&
                     !variable->getType()->isReferenceType() && !arms_.changes.contains(variable) &&
                     !whole_.exposed.contains(variable);
  const bool once = uses_.size() == 1 && (isHoisted(choices_[0]) || isWholeArm(choices_[0]));
  if (choices_.empty()) {
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

bool OperandChooser::isHoisted(const Choice& choice) const {
  if (!choice.repeats && uses_.at(keyOf(choice)) == 1)
    return false;
  HoistCheck check(arms_, whole_);
  for (const Expr* each : {choice.first, choice.other}) {
    check.TraverseStmt(const_cast<Expr*>(each));
    check.legal = check.legal && !effectsOf(*each).loads;
  }
  return check.legal;
}

std::string OperandChooser::keyOf(const Choice& choice) const {
  return choiceOperand(source_, *choice.first) + " : " + choiceOperand(source_, *choice.other);
}

void OperandChooser::edit(const Choice& choice) {
  const std::string key = keyOf(choice);
  const std::string value = fmt::format("{} ? {}", condition_, key);
  const Range range = *source_.rangeOf(choice.first->getSourceRange());
  if (!isHoisted(choice)) {
    inside_.replace(range, choice.alone ? value : "(" + value + ")");
    return;
  }
  std::string& name = constants_[key];
  if (name.empty()) {
    const bool tells = !choice.meaning.empty() && !choice.meaning.starts_with('_');
    name = names_.make(tells ? choice.meaning : "operand");
    front_.push_back(fmt::format("const auto {} = {};", name, value));
  }
  inside_.replace(range, name);
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
  for (const Choice& choice : choices_)
    ++uses_[keyOf(choice)];
  if (auto legal = nameCondition(); !legal)
    return tl::unexpected(legal.error());
  for (const Choice& choice : choices_)
    edit(choice);
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
