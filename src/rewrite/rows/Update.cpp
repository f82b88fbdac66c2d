// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rows/Update.h"

#include "rewrite/code/Effects.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace heddle::rewrite {
namespace {

using clang::BinaryOperator;
using clang::BinaryOperatorKind;
using clang::DeclRefExpr;
using clang::Expr;
using clang::Stmt;
using clang::VarDecl;
using Variables = JoinedPlaces;

const Expr* bare(const Expr* expression) {
  return JoinedPlaces::bare(expression);
}

bool mentionsAny(const Stmt& code, const Variables& variables) {
  return variables.mentionedIn(code);
}

bool isWhole(clang::QualType type) {
  return type->isIntegerType() && !type->isBooleanType();
}

/// Joining the value `by` into a variable, as the operation of an assignment does.
std::optional<Joining> joiningOf(BinaryOperatorKind kind, clang::QualType type,
                                 clang::QualType by) {
  const bool isReal = type->isRealFloatingType();
  // A whole number that is made from a real one each time is rounded each time.
  const bool isNumber = isReal ? by->isArithmeticType() : isWhole(type) && by->isIntegerType();
  const bool isBits = type->isIntegerType() && by->isIntegerType();
  switch (kind) {
  case clang::BO_Add:
  case clang::BO_Sub:
    return isNumber ? std::optional(Joining::Sum) : std::nullopt;
  case clang::BO_Mul:
    return isNumber ? std::optional(Joining::Product) : std::nullopt;
  case clang::BO_Or:
    return isBits ? std::optional(Joining::Or) : std::nullopt;
  case clang::BO_And:
    return isBits ? std::optional(Joining::And) : std::nullopt;
  case clang::BO_Xor:
    return isBits && isWhole(type) ? std::optional(Joining::Xor) : std::nullopt;
  case clang::BO_LOr:
    return type->isBooleanType() ? std::optional(Joining::Or) : std::nullopt;
  case clang::BO_LAnd:
    return type->isBooleanType() ? std::optional(Joining::And) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// What a value is made of: `sum + a * b - c`, in which the variable stands once.
class Chain {
public:
  Chain(const VarDecl& variable, const Variables& changed)
      : variable_(variable), changed_(changed) {}

  bool read(const Expr* value) {
    value = bare(value);
    if (const Expr* name = changed_.nameOf(value, &variable_)) {
      names.push_back(name);
      return true;
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value))
      return readCall(*call);
    const auto* binary = llvm::dyn_cast<BinaryOperator>(value);
    if (binary == nullptr)
      return false;
    const Expr *left = binary->getLHS(), *right = binary->getRHS();
    const bool inLeft = mentionsAny(*left, changed_), inRight = mentionsAny(*right, changed_);
    const bool turnsRound = inRight && binary->getOpcode() == clang::BO_Sub;
    const Expr& other = inLeft ? *right : *left;
    if (inLeft == inRight || turnsRound || (binary->isLogicalOp() && !effectsOf(other).pure()))
      return false;
    return join(joiningOf(binary->getOpcode(), variable_.getType(), bare(&other)->getType())) &&
           read(inLeft ? left : right);
  }

  std::optional<Joining> joining;
  std::vector<const Expr*> names;

private:
  bool join(std::optional<Joining> by) {
    if (!by || (joining && *joining != *by))
      return false;
    joining = by;
    return true;
  }

  bool readCall(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr)
      return false;
    const llvm::StringRef name = callee->getName();
    if (name == "fma" || name == "fmaf" || name == "__fmaf_rn" || name == "__fma_rn")
      return call.getNumArgs() == 3 && variable_.getType()->isRealFloatingType() &&
             !mentionsAny(*call.getArg(0), changed_) && !mentionsAny(*call.getArg(1), changed_) &&
             join(Joining::Sum) && read(call.getArg(2));
    return call.getNumArgs() == 2 && readExtreme(call, *callee, name);
  }

  /// min, fmaxf and their like; std::min of floating-point numbers keeps a NaN or not by its place.
  bool readExtreme(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                   llvm::StringRef name) {
    static constexpr std::array<std::string_view, 8> known = {"min",   "max",   "fmin", "fmax",
                                                              "fminf", "fmaxf", "umin", "umax"};
    if (std::ranges::find(known, std::string_view(name)) == known.end())
      return false;
    const bool isStd = callee.isInStdNamespace() && (name == "min" || name == "max");
    const clang::QualType own = variable_.getType().getUnqualifiedType();
    const clang::ASTContext& ast = callee.getASTContext();
    for (const clang::ParmVarDecl* each : callee.parameters())
      if (!ast.hasSameType(own, each->getType().getNonReferenceType().getUnqualifiedType()))
        return false;
    if (isStd && !isWhole(own))
      return false;
    const bool inLeft = mentionsAny(*call.getArg(0), changed_);
    if (inLeft == mentionsAny(*call.getArg(1), changed_))
      return false;
    return join(name.contains("min") ? Joining::Min : Joining::Max) &&
           read(call.getArg(inLeft ? 0 : 1));
  }

  const VarDecl& variable_;
  const Variables& changed_;
};

const VarDecl* changedBy(const Expr* place, const Variables& changed) {
  const VarDecl* variable = changed.of(place);
  return variable != nullptr && variable->getType()->isScalarType() ? variable : nullptr;
}

std::optional<Update> readStep(const clang::UnaryOperator& step, const Variables& changed) {
  const VarDecl* variable =
      step.isIncrementDecrementOp() ? changedBy(step.getSubExpr(), changed) : nullptr;
  if (variable == nullptr || !variable->getType()->isArithmeticType() ||
      variable->getType()->isBooleanType())
    return std::nullopt;
  return Update{Joining::Sum, {variable}, {changed.nameOf(step.getSubExpr(), variable)}};
}

std::optional<Update> readCompound(const BinaryOperator& operation, const Variables& changed) {
  const VarDecl* variable = changedBy(operation.getLHS(), changed);
  if (variable == nullptr || mentionsAny(*operation.getRHS(), changed))
    return std::nullopt;
  const auto joining = joiningOf(BinaryOperator::getOpForCompoundAssignment(operation.getOpcode()),
                                 variable->getType(), bare(operation.getRHS())->getType());
  if (!joining)
    return std::nullopt;
  return Update{*joining, {variable}, {changed.nameOf(operation.getLHS(), variable)}};
}

/// A comparison `a < b` or `a <= b`, in this order.
struct Comparison {
  const Expr* less = nullptr;
  const Expr* more = nullptr;
  bool isStrict = true;
};

std::optional<Comparison> comparisonOf(const Expr* condition) {
  const auto* binary = llvm::dyn_cast<BinaryOperator>(bare(condition));
  if (binary == nullptr || !binary->isRelationalOp())
    return std::nullopt;
  Comparison result{binary->getLHS(), binary->getRHS(),
                    binary->getOpcode() == clang::BO_LT || binary->getOpcode() == clang::BO_GT};
  if (binary->getOpcode() == clang::BO_GT || binary->getOpcode() == clang::BO_GE)
    std::swap(result.less, result.more);
  return result;
}

/// Which of two equal values stays is not seen in a whole number.
Joining pickedBy(bool isSmallest, bool isStrict, bool isAlone, clang::QualType type) {
  if (isAlone && isWhole(type))
    return isSmallest ? Joining::Min : Joining::Max;
  if (isStrict)
    return isSmallest ? Joining::Smallest : Joining::Largest;
  return isSmallest ? Joining::SmallestLast : Joining::LargestLast;
}

bool sameText(const Source& source, const Expr* a, const Expr* b) {
  const std::string text = source.textOf(bare(a)->getSourceRange());
  return !text.empty() && text == source.textOf(bare(b)->getSourceRange());
}

/// A value that is compared and then kept must be kept as it was compared.
bool keepsType(const Expr* value, const VarDecl& variable) {
  return variable.getASTContext().hasSameType(bare(value)->getType().getUnqualifiedType(),
                                              variable.getType().getUnqualifiedType());
}

/// `low = x < low ? x : low`
std::optional<Update> readConditional(const Source& source, const VarDecl& variable,
                                      const clang::ConditionalOperator& choice,
                                      const Variables& changed) {
  const auto compared = comparisonOf(choice.getCond());
  const Expr *value = choice.getTrueExpr(), *kept = choice.getFalseExpr();
  const Expr* stays = changed.nameOf(kept, &variable);
  if (!compared || stays == nullptr || mentionsAny(*value, changed) || !keepsType(value, variable))
    return std::nullopt;
  const bool isSmallest = sameText(source, compared->less, value);
  const Expr* other = isSmallest ? compared->more : compared->less;
  const Expr* asked = changed.nameOf(other, &variable);
  const bool isKnown = isSmallest || sameText(source, compared->more, value);
  const bool isLast = !compared->isStrict && !isWhole(variable.getType());
  if (!isKnown || asked == nullptr || isLast || !effectsOf(*value).pure())
    return std::nullopt;
  return Update{.joining = pickedBy(isSmallest, compared->isStrict, true, variable.getType()),
                .variables = {&variable},
                .names = {stays, asked},
                .isChoice = true};
}

bool isConstant(const Expr* value, const clang::ASTContext& ast) {
  return !value->isValueDependent() && value->isEvaluatable(ast);
}

std::optional<Update> readAssignment(const Source& source, const BinaryOperator& operation,
                                     const Variables& changed) {
  const VarDecl* variable = changedBy(operation.getLHS(), changed);
  if (variable == nullptr)
    return std::nullopt;
  const Expr* set = changed.nameOf(operation.getLHS(), variable);
  const Expr* value = bare(operation.getRHS());
  if (isConstant(operation.getRHS(), source.ast()))
    return Update{Joining::Set, {variable}, {set}, value};
  std::optional<Update> update;
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
    update = readConditional(source, *variable, *choice, changed);
  } else if (Chain chain(*variable, changed); chain.read(value) && chain.joining) {
    update = Update{*chain.joining, {variable}, chain.names};
  }
  if (!update && !mentionsAny(*operation.getRHS(), changed) &&
      effectsOf(*operation.getRHS()).pure())
    update = Update{.joining = Joining::Last, .variables = {variable}};
  if (update)
    update->names.push_back(set);
  return update;
}

/// The parts of a && b && c.
void conjuncts(const Expr* condition, std::vector<const Expr*>& to) {
  const auto* both = llvm::dyn_cast<BinaryOperator>(bare(condition));
  if (both == nullptr || both->getOpcode() != clang::BO_LAnd) {
    to.push_back(condition);
    return;
  }
  conjuncts(both->getLHS(), to);
  conjuncts(both->getRHS(), to);
}

/// The assignments of a branch's arm; empty: it does something else, too.
std::vector<const BinaryOperator*> assignmentsOf(const Stmt& arm) {
  std::vector<const Stmt*> statements = {&arm};
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&arm))
    statements.assign(block->body_begin(), block->body_end());
  std::vector<const BinaryOperator*> found;
  for (const Stmt* each : statements) {
    const auto* value = llvm::dyn_cast<Expr>(each);
    const auto* set = value != nullptr ? llvm::dyn_cast<BinaryOperator>(bare(value)) : nullptr;
    if (set == nullptr || set->getOpcode() != clang::BO_Assign)
      return {};
    found.push_back(set);
  }
  return found;
}

class ChoiceReader {
public:
  ChoiceReader(const Source& source, const Variables& changed, const VarDecl& item)
      : source_(source), changed_(changed), item_(item) {}

  std::optional<Update> read(const clang::IfStmt& statement) {
    if (statement.getElse() != nullptr || statement.hasInitStorage() || statement.hasVarStorage())
      return std::nullopt;
    std::vector<const Expr*> parts;
    conjuncts(statement.getCond(), parts);
    const Expr* asked = nullptr;
    for (const Expr* part : parts)
      if (mentionsAny(*part, changed_)) {
        if (asked != nullptr)
          return std::nullopt;
        asked = part;
      }
    const auto compared = asked != nullptr ? comparisonOf(asked) : std::nullopt;
    if (!compared || !effectsOf(*statement.getCond()).pure())
      return std::nullopt;
    const std::vector<const BinaryOperator*> assignments = assignmentsOf(*statement.getThen());
    const auto at = takeItem(*compared, assignments);
    return at ? at : take(*compared, assignments);
  }

private:
  /// The text, without spaces, of what stands in it for a variable by that of the item.
  std::string textForItem(const Expr& value) const {
    const auto range = source_.rangeOf(value.getSourceRange());
    Edits edits;
    for (const Expr* name : changed_.namesIn(value)) {
      const auto at = source_.rangeOf(name->getSourceRange());
      if (!range || !at)
        return "";
      edits.replace(*at, item_.getNameAsString());
    }
    std::string text = range ? edits.apply(source_.text(), *range) : "";
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
    return text;
  }

  /// `if (v[k] > v[best]) best = k;`
  std::optional<Update> takeItem(const Comparison& compared,
                                 const std::vector<const BinaryOperator*>& assignments) const {
    const bool isSmallest = mentionsAny(*compared.more, changed_);
    const Expr* kept = isSmallest ? compared.more : compared.less;
    const Expr* value = isSmallest ? compared.less : compared.more;
    if (assignments.size() != 1 || !compared.isStrict || mentionsAny(*value, changed_))
      return std::nullopt;
    const BinaryOperator& set = *assignments.front();
    const VarDecl* to = changedBy(set.getLHS(), changed_);
    const std::vector<const Expr*> names = changed_.namesIn(*kept);
    const bool isAt =
        to != nullptr && !changed_.of(kept) && isItem(set.getRHS()) &&
        keepsType(set.getRHS(), *to) &&
        std::ranges::all_of(names, [&](const Expr* each) { return changed_.of(each) == to; });
    if (!isAt || textForItem(*kept).empty() || textForItem(*kept) != textForItem(*value))
      return std::nullopt;
    Update update{.joining = isSmallest ? Joining::SmallestAt : Joining::LargestAt,
                  .variables = {to},
                  .names = names,
                  .key = value};
    update.names.push_back(changed_.nameOf(set.getLHS(), to));
    return update;
  }

  std::optional<Update> take(const Comparison& compared,
                             const std::vector<const BinaryOperator*>& assignments) {
    const bool isSmallest = changedBy(compared.more, changed_) != nullptr;
    const Expr* kept = isSmallest ? compared.more : compared.less;
    const Expr* value = isSmallest ? compared.less : compared.more;
    const VarDecl* variable = changedBy(kept, changed_);
    if (variable == nullptr || mentionsAny(*value, changed_) || !keepsType(value, *variable))
      return std::nullopt;
    Update update{Joining::Smallest, {variable}, {changed_.nameOf(kept, variable)}};
    bool isKept = false, countsItem = false;
    for (const BinaryOperator* each : assignments) {
      const VarDecl* to = changedBy(each->getLHS(), changed_);
      if (to == nullptr || mentionsAny(*each->getRHS(), changed_))
        return std::nullopt;
      update.names.push_back(changed_.nameOf(each->getLHS(), to));
      if (to == variable) {
        if (isKept || !sameText(source_, each->getRHS(), value))
          return std::nullopt;
        isKept = true;
        continue;
      }
      if (std::ranges::find(update.variables, to) != update.variables.end())
        return std::nullopt;
      update.variables.push_back(to);
      countsItem = countsItem || (isItem(each->getRHS()) && keepsType(each->getRHS(), *to));
    }
    update.isChoice = true;
    update.joining =
        pickedBy(isSmallest, compared.isStrict, update.variables.size() == 1, variable->getType());
    const bool isLast =
        update.joining == Joining::SmallestLast || update.joining == Joining::LargestLast;
    // Which item came last is known by its number alone.
    return isKept && (!isLast || countsItem) ? std::optional(update) : std::nullopt;
  }

  bool isItem(const Expr* value) const {
    const auto* name = llvm::dyn_cast<DeclRefExpr>(bare(value));
    return name != nullptr && name->getDecl() == &item_;
  }

  const Source& source_;
  const Variables& changed_;
  const VarDecl& item_;
};

} // namespace

std::optional<Update> readUpdate(const Source& source, const Expr& statement,
                                 const Variables& changed) {
  const Expr* value = bare(&statement);
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(value))
    return readStep(*step, changed);
  const auto* operation = llvm::dyn_cast<BinaryOperator>(value);
  if (operation == nullptr)
    return std::nullopt;
  if (operation->isCompoundAssignmentOp())
    return readCompound(*operation, changed);
  return operation->getOpcode() == clang::BO_Assign ? readAssignment(source, *operation, changed)
                                                    : std::nullopt;
}

std::optional<Update> readChoice(const Source& source, const clang::IfStmt& statement,
                                 const Variables& changed, const VarDecl& item) {
  return ChoiceReader(source, changed, item).read(statement);
}

} // namespace heddle::rewrite
