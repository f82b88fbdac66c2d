// SPDX-License-Identifier: Apache-2.0
#include "rewrite/arms/Operands.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite {
namespace {

using clang::Expr;

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

bool declaresName(const Effects& code, llvm::StringRef name) {
  return std::ranges::any_of(code.declares,
                             [&](const clang::VarDecl* each) { return each->getName() == name; });
}

/// The name of an array is its address: nothing is loaded.
bool isArrayName(const Expr& expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
  return name != nullptr && name->getType()->isArrayType();
}

} // namespace

ArmEffects::ArmEffects(const clang::Stmt& firstArm, const clang::Stmt& otherArm,
                       const clang::Stmt& function)
    : first(effectsOf(firstArm)), other(effectsOf(otherArm)), both(first),
      whole(effectsOf(function)) {
  both.changes.insert(other.changes.begin(), other.changes.end());
  both.declares.insert(other.declares.begin(), other.declares.end());
  both.stores = both.stores || other.stores;
}

bool ArmEffects::keep(const clang::VarDecl& variable) const {
  return variable.hasLocalStorage() && !variable.getType()->isReferenceType() &&
         !both.changes.contains(&variable) && !whole.exposed.contains(&variable);
}

Operands::Operands(const Source& source, std::vector<Choice> choices, ArmEffects effects)
    : source_(source), choices_(std::move(choices)), effects_(std::move(effects)) {
  for (const Choice& choice : choices_)
    ++uses_[keyOf(choice)];
}

Legal<void> Operands::check() const {
  for (const Choice& choice : choices_) {
    if (!source_.rangeOf(choice.first->getSourceRange()) ||
        !source_.rangeOf(choice.other->getSourceRange()))
      return refuse(common["macro-in-the-way"], "line {} has an operand that is part of a macro",
                    source_.lineOf(choice.first->getBeginLoc()));
    for (const clang::VarDecl* outer : effectsOf(*choice.other).reads)
      if (!effects_.other.declares.contains(outer) &&
          declaresName(effects_.first, outer->getName()))
        return refuse(common["arms-differ"], "line {} means another {} than the first arm",
                      source_.lineOf(choice.other->getBeginLoc()), outer->getNameAsString());
  }
  return {};
}

bool Operands::isHoisted(const Choice& choice) const {
  if (!choice.repeats && uses_.at(keyOf(choice)) == 1)
    return false;
  HoistCheck check(effects_.both, effects_.whole);
  for (const Expr* each : {choice.first, choice.other}) {
    check.TraverseStmt(const_cast<Expr*>(each));
    check.legal = check.legal && (isArrayName(*each) || !effectsOf(*each).loads);
  }
  return check.legal;
}

std::string Operands::keyOf(const Choice& choice) const {
  return choiceOperand(source_, *choice.first) + " : " + choiceOperand(source_, *choice.other);
}

Edits Operands::choose(const std::string& condition, FreshNames& names,
                       std::vector<std::string>& front) {
  std::map<std::string, std::string> constants; // by a choice's text, their names
  Edits edits;
  for (const Choice& choice : choices_) {
    const std::string key = keyOf(choice);
    const std::string value = fmt::format("{} ? {}", condition, key);
    const Range range = *source_.rangeOf(choice.first->getSourceRange());
    if (!isHoisted(choice)) {
      edits.replace(range, choice.alone ? value : "(" + value + ")");
      continue;
    }
    std::string& name = constants[key];
    if (name.empty()) {
      const bool tells = !choice.meaning.empty() && !choice.meaning.starts_with('_');
      name = names.make(tells ? choice.meaning : "operand");
      front.push_back(fmt::format("const auto {} = {};", name, value));
    }
    edits.replace(range, name);
  }
  return edits;
}

} // namespace heddle::rewrite
