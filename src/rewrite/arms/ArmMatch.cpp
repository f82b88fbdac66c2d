// SPDX-License-Identifier: Apache-2.0
//
//   1. Both trees are walked in step. Variables that one arm declares stand for those of the other.
//   2. Where two expressions have not the same shape, they are chosen between, if they are simple
//      operands of one type; else the expressions around them are tried.
#include "rewrite/arms/ArmMatch.h"

#include "rewrite/code/Branches.h"
#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Effects.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <map>
#include <optional>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::Stmt;

constexpr int mostOperators = 4; ///< of an operand: more would be code of its own

const Stmt* bareStatement(const Stmt* statement) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement);
  return block != nullptr && block->size() == 1 && !llvm::isa<clang::DeclStmt>(block->body_front())
             ? block->body_front()
             : statement;
}

/// How many operators an operand has; nothing where it is not one.
std::optional<int> operatorsIn(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  const auto sum = [](std::initializer_list<const Expr*> parts) -> std::optional<int> {
    int count = 1;
    for (const Expr* part : parts) {
      const auto inside = operatorsIn(part);
      if (!inside)
        return std::nullopt;
      count += *inside;
    }
    return count;
  };
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return expression->getType().isVolatileQualified() ||
                   llvm::isa<clang::FunctionDecl>(name->getDecl())
               ? std::nullopt
               : std::optional(0);
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                clang::CharacterLiteral, clang::CXXNullPtrLiteralExpr, clang::PseudoObjectExpr,
                clang::SubstNonTypeTemplateParmExpr, clang::DependentScopeDeclRefExpr,
                clang::UnaryExprOrTypeTraitExpr>(expression))
    return 0;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return expression->getType().isVolatileQualified() ? std::nullopt
                                                       : operatorsIn(member->getBase());
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression))
    return expression->getType()->isScalarType() || expression->isTypeDependent()
               ? operatorsIn(cast->getSubExpr())
               : std::nullopt;
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return sum({element->getBase(), element->getIdx()});
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->isIncrementDecrementOp() ? std::nullopt : sum({unary->getSubExpr()});
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return binary->isAssignmentOp() || binary->isCommaOp()
               ? std::nullopt
               : sum({binary->getLHS(), binary->getRHS()});
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
    return sum({choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr()});
  return std::nullopt;
}

/// What an operand is to the operator that takes it.
const char* roleIn(const clang::BinaryOperator& operation) {
  if (operation.isComparisonOp())
    return "limit";
  switch (operation.getOpcode()) {
  case clang::BO_Mul:
  case clang::BO_MulAssign:
    return "factor";
  case clang::BO_Div:
  case clang::BO_DivAssign:
    return "divisor";
  case clang::BO_Rem:
  case clang::BO_RemAssign:
    return "modulus";
  case clang::BO_Shl:
  case clang::BO_Shr:
  case clang::BO_ShlAssign:
  case clang::BO_ShrAssign:
    return "shift";
  case clang::BO_And:
  case clang::BO_AndAssign:
    return "mask";
  case clang::BO_Add:
  case clang::BO_AddAssign:
  case clang::BO_Sub:
  case clang::BO_SubAssign:
    return "term";
  default:
    return "operand";
  }
}

/// The type of the text: what it is before anything around it converts it.
clang::QualType writtenType(const clang::ASTContext& ast, const Expr& expression) {
  const clang::QualType type = expression.IgnoreParenImpCasts()->getType();
  return type->isArrayType() ? ast.getArrayDecayedType(type)
                             : type.getCanonicalType().getUnqualifiedType();
}

/// The compiler turns a power with a constant exponent into products, which round differently.
bool isPower(const Expr* call) {
  const auto* named = llvm::dyn_cast_or_null<clang::CallExpr>(call);
  const clang::FunctionDecl* callee = named != nullptr ? named->getDirectCallee() : nullptr;
  return callee != nullptr && callee->getDeclName().isIdentifier() &&
         callee->getName().ltrim('_').starts_with("pow");
}

class Matcher {
public:
  Matcher(const Source& source, bool isPattern, Twins twins = {})
      : source_(source), isPattern_(isPattern), standsFor_(std::move(twins)) {}

  bool match(const Stmt* first, const Stmt* other);
  Refusal refusal() const {
    return refusal_.value_or(Refusal{common["arms-differ"], "the arms of the branch differ"});
  }
  std::vector<Choice> choices;
  const Twins& twins() const { return standsFor_; }

private:
  struct Place {
    bool assigned = false;      ///< or bound to a reference: an object, not a value
    bool alone = false;         ///< see Choice
    std::string meaning{};      ///< see Choice
    const Expr* call = nullptr; ///< that it is an argument of
  };

  bool matchExpressions(const Expr* first, const Expr* other, const Place& place);
  bool matchShape(const Expr* first, const Expr* other, const Place& place);
  bool matchCalls(const clang::CallExpr& first, const clang::CallExpr& other);
  bool matchDeclarations(const clang::DeclStmt& first, const clang::DeclStmt& other);
  bool matchChildren(const Stmt& first, const Stmt& other);
  bool sameText(const Stmt& first, const Stmt& other) const;
  bool sameLeaf(const Expr& first, const Expr& other) const;
  bool keepsNames(const Expr& other) const;
  bool choose(const Expr& first, const Expr& other, const Place& place);
  bool stands(const clang::ValueDecl* first, const clang::ValueDecl* other) const;

  bool differ(const Stmt& first, const Stmt& other) {
    if (!refusal_)
      refusal_ = Refusal{common["arms-differ"],
                         fmt::format("line {} is not as line {}, up to operands that can be chosen",
                                     source_.lineOf(first.getBeginLoc()),
                                     source_.lineOf(other.getBeginLoc()))};
    return false;
  }

  const Source& source_;
  bool isPattern_;
  Twins standsFor_;
  std::optional<Refusal> refusal_; ///< the first that was met
  int loops_ = 0;                  ///< of the arm, around this
};

bool Matcher::stands(const clang::ValueDecl* first, const clang::ValueDecl* other) const {
  const auto known = standsFor_.find(other);
  return (known != standsFor_.end() ? known->second : other) == first;
}

bool Matcher::match(const Stmt* first, const Stmt* other) {
  first = bareStatement(first);
  other = bareStatement(other);
  if (first == nullptr || other == nullptr) {
    const Stmt* there = first != nullptr ? first : other;
    return first == other || differ(*there, *there);
  }
  if (const auto* value = llvm::dyn_cast<Expr>(first); value != nullptr && llvm::isa<Expr>(other))
    return matchExpressions(value, llvm::cast<Expr>(other), {.alone = true});
  if (first->getStmtClass() != other->getStmtClass())
    return differ(*first, *other);
  if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(first))
    return matchDeclarations(*declares, *llvm::cast<clang::DeclStmt>(other));
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(first);
      branch != nullptr && (branch->isConstexpr() || branch->hasInitStorage() ||
                            branch->getConditionVariable() != nullptr))
    return sameText(*first, *other) || differ(*first, *other);
  if (llvm::isa<clang::SwitchCase>(first)) // labels cannot be chosen
    return sameText(*first, *other) || differ(*first, *other);
  if (llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                clang::ReturnStmt, clang::SwitchStmt, clang::AttributedStmt>(first))
    return matchChildren(*first, *other);
  return llvm::isa<clang::NullStmt, clang::BreakStmt, clang::ContinueStmt>(first) ||
         sameText(*first, *other) || differ(*first, *other);
}

bool Matcher::matchChildren(const Stmt& first, const Stmt& other) {
  loops_ += isLoop(first) ? 1 : 0;
  const auto mine = first.children(), theirs = other.children();
  auto at = mine.begin();
  auto with = theirs.begin();
  for (; at != mine.end() && with != theirs.end(); ++at, ++with)
    if (!match(*at, *with))
      return false;
  loops_ -= isLoop(first) ? 1 : 0;
  return (at == mine.end() && with == theirs.end()) || differ(first, other);
}

bool Matcher::matchDeclarations(const clang::DeclStmt& first, const clang::DeclStmt& other) {
  const std::vector<clang::Decl*> mine(first.decl_begin(), first.decl_end());
  const std::vector<clang::Decl*> theirs(other.decl_begin(), other.decl_end());
  if (mine.size() != theirs.size())
    return differ(first, other);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(mine[i]);
    const auto* twin = llvm::dyn_cast<clang::VarDecl>(theirs[i]);
    if (variable == nullptr || twin == nullptr || !variable->hasLocalStorage() ||
        variable->isConstexpr() ||
        variable->getType().getCanonicalType() != twin->getType().getCanonicalType() ||
        variable->getInitStyle() != twin->getInitStyle())
      return differ(first, other);
    const Place place{.assigned = variable->getType()->isReferenceType(),
                      .alone = true,
                      .meaning = variable->getNameAsString()};
    const Expr* value = variable->getInit();
    const Expr* twinValue = twin->getInit();
    if ((value == nullptr) != (twinValue == nullptr))
      return differ(first, other);
    if (value != nullptr && !matchExpressions(value, twinValue, place))
      return false;
    standsFor_[twin] = variable;
  }
  return true;
}

/// Step 2.
bool Matcher::matchExpressions(const Expr* first, const Expr* other, const Place& place) {
  const std::size_t before = choices.size();
  const bool hadParens = llvm::isa<clang::ParenExpr>(first);
  first = first->IgnoreParens();
  other = other->IgnoreParens();
  Place inside = place;
  inside.alone = place.alone || hadParens;
  const std::optional<Refusal> refusal = refusal_;
  if (matchShape(first, other, inside))
    return true;
  choices.resize(before);
  if (!choose(*first, *other, inside))
    return false;
  refusal_ = refusal;
  return true;
}

/// Step 1.
bool Matcher::matchShape(const Expr* first, const Expr* other, const Place& place) {
  if (first->getStmtClass() != other->getStmtClass() ||
      first->getType().getCanonicalType() != other->getType().getCanonicalType())
    return false;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(first)) {
    const auto* twin = llvm::cast<clang::CastExpr>(other);
    return cast->getCastKind() == twin->getCastKind() &&
           matchExpressions(cast->getSubExpr(), twin->getSubExpr(),
                            llvm::isa<clang::ImplicitCastExpr>(cast) ? place : Place{});
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(first)) {
    const auto* twin = llvm::cast<clang::BinaryOperator>(other);
    return binary->getOpcode() == twin->getOpcode() &&
           matchExpressions(binary->getLHS(), twin->getLHS(),
                            {.assigned = binary->isAssignmentOp(), .meaning = roleIn(*binary)}) &&
           matchExpressions(binary->getRHS(), twin->getRHS(),
                            {.alone = binary->isAssignmentOp(), .meaning = roleIn(*binary)});
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(first)) {
    const bool assigned = unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf;
    return unary->getOpcode() == llvm::cast<clang::UnaryOperator>(other)->getOpcode() &&
           matchExpressions(unary->getSubExpr(),
                            llvm::cast<clang::UnaryOperator>(other)->getSubExpr(),
                            {.assigned = assigned});
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(first)) {
    const auto* twin = llvm::cast<clang::ArraySubscriptExpr>(other);
    return matchExpressions(element->getLHS(), twin->getLHS(), {.meaning = "array"}) &&
           matchExpressions(element->getRHS(), twin->getRHS(), {.alone = true, .meaning = "index"});
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(first)) {
    const auto* twin = llvm::cast<clang::MemberExpr>(other);
    return member->getMemberDecl() == twin->getMemberDecl() &&
           member->isArrow() == twin->isArrow() &&
           matchExpressions(member->getBase(), twin->getBase(), {.assigned = !member->isArrow()});
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(first)) {
    const auto* twin = llvm::cast<clang::ConditionalOperator>(other);
    return matchExpressions(choice->getCond(), twin->getCond(), {}) &&
           matchExpressions(choice->getTrueExpr(), twin->getTrueExpr(),
                            {.assigned = place.assigned}) &&
           matchExpressions(choice->getFalseExpr(), twin->getFalseExpr(),
                            {.assigned = place.assigned});
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(first))
    return matchCalls(*call, *llvm::cast<clang::CallExpr>(other));
  return sameLeaf(*first, *other);
}

bool Matcher::matchCalls(const clang::CallExpr& first, const clang::CallExpr& other) {
  if (first.getNumArgs() != other.getNumArgs() ||
      !matchExpressions(first.getCallee(), other.getCallee(), {.assigned = true}))
    return false;
  const clang::FunctionDecl* callee = first.getDirectCallee();
  const bool isOperator = llvm::isa<clang::CXXOperatorCallExpr>(first);
  for (unsigned i = 0; i < first.getNumArgs(); ++i) {
    const clang::ParmVarDecl* parameter =
        !isOperator && callee != nullptr && i < callee->getNumParams() ? callee->getParamDecl(i)
                                                                       : nullptr;
    const bool byReference = isOperator
                                 ? !first.isTypeDependent()
                                 : parameter != nullptr && parameter->getType()->isReferenceType();
    const Place place{.assigned = byReference,
                      .alone = !isOperator,
                      .meaning = parameter != nullptr ? parameter->getNameAsString() : "",
                      .call = &first};
    if (!matchExpressions(first.getArg(i), other.getArg(i), place))
      return false;
  }
  return true;
}

bool Matcher::sameLeaf(const Expr& first, const Expr& other) const {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&first))
    return stands(name->getDecl(), llvm::cast<clang::DeclRefExpr>(other).getDecl());
  if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(&first))
    return number->getValue() == llvm::cast<clang::IntegerLiteral>(other).getValue();
  if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(&first))
    return number->getValue().bitwiseIsEqual(llvm::cast<clang::FloatingLiteral>(other).getValue());
  return sameText(first, other);
}

/// Equal words mean the same as long as every variable in them does.
bool Matcher::sameText(const Stmt& first, const Stmt& other) const {
  const auto mine = source_.rangeOf(first.getSourceRange());
  const auto theirs = source_.rangeOf(other.getSourceRange());
  if (!mine || !theirs || source_.textOf(*mine) != source_.textOf(*theirs))
    return false;
  const auto same = [&](auto&& self, const Stmt* a, const Stmt* b) -> bool {
    if (a == nullptr || b == nullptr)
      return a == b;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(a);
    const auto* twin = llvm::dyn_cast<clang::DeclRefExpr>(b);
    if (name != nullptr && twin != nullptr && !stands(name->getDecl(), twin->getDecl()))
      return false;
    return std::equal(a->child_begin(), a->child_end(), b->child_begin(), b->child_end(),
                      [&](const Stmt* x, const Stmt* y) { return self(self, x, y); });
  };
  return same(same, &first, &other);
}

/// The text is moved to the other arm, where the variables must have the same names.
bool Matcher::keepsNames(const Expr& other) const {
  return std::ranges::all_of(effectsOf(other).reads, [&](const clang::VarDecl* variable) {
    const auto known = standsFor_.find(variable);
    return known == standsFor_.end() || known->second->getName() == variable->getName();
  });
}

/// Step 2.
bool Matcher::choose(const Expr& first, const Expr& other, const Place& place) {
  const bool dependent = first.isTypeDependent() || other.isTypeDependent();
  const bool isValue = // a template's pattern does not say yet where variables are read
      !place.assigned && (isPattern_ || (first.isPRValue() && other.isPRValue()));
  if (!isValue || !isSimpleOperand(first) || !isSimpleOperand(other) || !keepsNames(other))
    return differ(first, other);
  const clang::QualType type = writtenType(source_.ast(), first);
  const clang::QualType otherType = writtenType(source_.ast(), other);
  const int line = source_.lineOf(first.getBeginLoc());
  if (!dependent && (!type->isScalarType() || type != otherType)) {
    refusal_ =
        Refusal{common["types-differ"],
                fmt::format("line {} has an operand of type {} where line {} has one of type {}",
                            line, type.getAsString(), source_.lineOf(other.getBeginLoc()),
                            otherType.getAsString())};
    return false;
  }
  if (isPower(place.call)) {
    refusal_ = Refusal{common["constant-power"],
                       fmt::format("line {} takes a power that is compiled by its exponent", line)};
    return false;
  }
  choices.push_back({&first, &other, place.meaning, place.alone, loops_ > 0});
  return true;
}

} // namespace

bool isSimpleOperand(const Expr& expression) {
  const auto operators = operatorsIn(&expression);
  return operators && *operators <= mostOperators;
}

std::string choiceOperand(const Source& source, const Expr& expression) {
  const std::string text = source.textOf(expression.getSourceRange());
  const Expr* bare = expression.IgnoreImplicit();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  const bool loose = llvm::isa<clang::ConditionalOperator>(bare) ||
                     (binary != nullptr && (binary->isAssignmentOp() || binary->isCommaOp()));
  return loose ? "(" + text + ")" : text;
}

Legal<std::vector<Choice>> matchArms(const Source& source, const Stmt& first, const Stmt& other,
                                     bool isPattern) {
  Twins none;
  return matchParts(source, first, other, isPattern, none);
}

Legal<std::vector<Choice>> matchParts(const Source& source, const Stmt& first, const Stmt& other,
                                      bool isPattern, Twins& twins) {
  Matcher matcher(source, isPattern, twins);
  if (!matcher.match(&first, &other))
    return tl::unexpected(matcher.refusal());
  twins = matcher.twins();
  return std::move(matcher.choices);
}

} // namespace heddle::rewrite
