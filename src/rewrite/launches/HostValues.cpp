// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launches/HostValues.h"

#include "rewrite/code/Modified.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/FoldingSet.h>

#include <algorithm>
#include <vector>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::VarDecl;

const VarDecl* variableOf(const Expr& value) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenImpCasts());
  return name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

/// Names of variables that are written by an operator, and those that a lambda may write.
class Writers final : public TreeVisitor {
public:
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (operation->isAssignmentOp())
      add(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp())
      add(operation->getSubExpr());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        captured.insert(llvm::dyn_cast<VarDecl>(capture.getCapturedVar()));
    return true;
  }

  std::set<const clang::DeclRefExpr*> names;
  std::set<const VarDecl*> captured;

private:
  void add(const Expr* place) {
    place = place->IgnoreParens();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place);
        member != nullptr && !member->isArrow())
      place = member->getBase()->IgnoreParenImpCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place))
      names.insert(name);
  }
};

/// A sum as it is known: n - m + 47.
struct Sum {
  std::vector<const Expr*> added, subtracted; ///< that are no numbers
  std::int64_t number = 0;
  std::size_t named = 0;   ///< how often the number has the name that was looked for
  std::int64_t others = 0; ///< the number without that
};

class SumReader {
public:
  SumReader(const clang::ASTContext& ast, const HostValues& values, const Expr& name)
      : ast_(ast), values_(values), name_(name) {}

  void read(const Expr& value, bool minus) {
    const auto* both = llvm::dyn_cast<clang::BinaryOperator>(value.IgnoreParenImpCasts());
    if (both != nullptr && both->isAdditiveOp()) {
      read(*both->getLHS(), minus);
      read(*both->getRHS(), minus != (both->getOpcode() == clang::BO_Sub));
    } else if (const auto number = values_.numberOf(value)) {
      const bool isNamed = !minus && isSameText(ast_, value, name_);
      sum.named += isNamed;
      sum.number += minus ? -*number : *number;
      sum.others += isNamed ? 0 : minus ? -*number : *number;
    } else
      (minus ? sum.subtracted : sum.added).push_back(&value);
  }

  Sum sum;

private:
  const clang::ASTContext& ast_;
  const HostValues& values_;
  const Expr& name_;
};

bool areSame(const clang::ASTContext& ast, const std::vector<const Expr*>& some,
             const std::vector<const Expr*>& others) {
  return std::ranges::equal(some, others, [&](const Expr* one, const Expr* other) {
    return isSameText(ast, *one, *other);
  });
}

std::optional<std::int64_t> computed(clang::BinaryOperatorKind kind, std::int64_t left,
                                     std::int64_t right) {
  switch (kind) {
  case clang::BO_Add:
    return left + right;
  case clang::BO_Sub:
    return left - right;
  case clang::BO_Mul:
    return left * right;
  case clang::BO_Div:
    return right > 0 && left >= 0 ? std::optional(left / right) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

bool isDim3(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getName() == "dim3";
}

bool isSameText(const clang::ASTContext& ast, const Expr& one, const Expr& other) {
  llvm::FoldingSetNodeID first, second;
  one.IgnoreParenImpCasts()->Profile(first, ast, true);
  other.IgnoreParenImpCasts()->Profile(second, ast, true);
  return first == second;
}

const Expr& withoutCopies(const Expr& value) {
  const Expr* bare = value.IgnoreParens()->IgnoreImplicit();
  for (;;) {
    const Expr* inside = nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(bare);
        cast != nullptr && isDim3(cast->getType()))
      inside = cast->getSubExpr();
    else if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(bare);
             copy != nullptr && copy->getNumArgs() == 1 && isDim3(copy->getArg(0)->getType()))
      inside = copy->getArg(0);
    if (inside == nullptr)
      return *bare;
    bare = inside->IgnoreParens()->IgnoreImplicit();
  }
}

const HostValues::Changes& HostValues::changesIn(const clang::FunctionDecl& function) const {
  const auto [known, isNew] = known_.try_emplace(&function);
  if (!isNew || function.getBody() == nullptr)
    return known->second;
  Writers writers;
  writers.TraverseStmt(function.getBody());
  Changes& changes = known->second;
  changes.aliased = std::move(writers.captured);
  for (const clang::DeclRefExpr* name : namesNotRead(*function.getBody()))
    if (const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
        variable != nullptr && writers.names.contains(name))
      changes.places[variable].insert(ast_.getSourceManager().getFileLoc(name->getLocation()));
    else
      changes.aliased.insert(variable);
  return changes;
}

bool HostValues::keeps(const VarDecl& variable, clang::SourceLocation since) const {
  if (variable.getType().isConstQualified() && !variable.getType()->isReferenceType())
    return true;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  if (!variable.hasLocalStorage() || variable.getType()->isReferenceType() ||
      variable.getType().isVolatileQualified() || function == nullptr)
    return false;
  const Changes& changes = changesIn(*function);
  const auto places = changes.places.find(&variable);
  const clang::SourceManager& files = ast_.getSourceManager();
  return !changes.aliased.contains(&variable) &&
         (places == changes.places.end() ||
          std::ranges::all_of(places->second, [&](clang::SourceLocation place) {
            return files.isBeforeInTranslationUnit(place, files.getFileLoc(since));
          }));
}

bool HostValues::keeps(const Expr& value, clang::SourceLocation since) const {
  const Expr* bare = value.IgnoreParenCasts();
  if (numberOf(*bare))
    return true;
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(bare))
    return !both->isAssignmentOp() && keeps(*both->getLHS(), since) &&
           keeps(*both->getRHS(), since);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare))
    return !member->isArrow() && keeps(*member->getBase(), since);
  const VarDecl* variable = variableOf(*bare);
  return variable != nullptr && keeps(*variable, since);
}

const VarDecl* HostValues::settled(const Expr& value) const {
  const VarDecl* variable = variableOf(value);
  return variable != nullptr && variable->hasLocalStorage() && variable->hasInit() &&
                 !llvm::isa<clang::ParmVarDecl>(variable) &&
                 keeps(*variable, variable->getLocation())
             ? variable
             : nullptr;
}

std::optional<std::int64_t> HostValues::numberOf(const Expr& value) const {
  if (value.isValueDependent() || value.isTypeDependent())
    return std::nullopt;
  clang::Expr::EvalResult result;
  if (value.EvaluateAsInt(result, ast_, Expr::SE_NoSideEffects))
    return result.Val.getInt().tryExtValue();
  const Expr& bare = *value.IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&bare);
      member != nullptr && !member->isArrow() && isDim3(member->getBase()->getType())) {
    const auto whole = dim3Of(*member->getBase());
    const llvm::StringRef name = member->getMemberDecl()->getName();
    if (!whole || name.size() != 1 || name[0] < 'x' || name[0] > 'z')
      return std::nullopt;
    const Expr* part = whole->axes[std::size_t(name[0] - 'x')];
    return part != nullptr ? numberOf(*part) : 1;
  }
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(&bare)) {
    const auto left = numberOf(*both->getLHS()), right = numberOf(*both->getRHS());
    return left && right ? computed(both->getOpcode(), *left, *right) : std::nullopt;
  }
  const VarDecl* variable = settled(bare);
  return variable != nullptr && variable->getType()->isIntegerType()
             ? numberOf(*variable->getInit())
             : std::nullopt;
}

std::optional<HostValues::Dim3> HostValues::dim3Of(const Expr& value) const {
  const Expr& bare = withoutCopies(value);
  if (bare.getType()->isIntegerType())
    return Dim3{{&bare, nullptr, nullptr}};
  if (const auto* object = llvm::dyn_cast<clang::CXXConstructExpr>(&bare)) {
    Dim3 result;
    for (unsigned i = 0; i < object->getNumArgs() && i < 3; ++i) {
      const Expr* part = object->getArg(i);
      if (!part->getType()->isIntegerType())
        return std::nullopt;
      result.axes[i] = llvm::isa<clang::CXXDefaultArgExpr>(part) ? nullptr : part;
    }
    return result;
  }
  const VarDecl* variable = settled(bare);
  if (variable == nullptr)
    return std::nullopt;
  auto result = dim3Of(*variable->getInit());
  if (result && result->since.isInvalid())
    result->since = variable->getLocation();
  return result;
}

std::optional<HostValues::Pieces> HostValues::piecesOf(const Expr& value, const Expr& items,
                                                       std::int64_t size) const {
  const Expr& bare = *value.IgnoreParenImpCasts();
  if (const VarDecl* variable = settled(bare);
      variable != nullptr && variable->getType()->isIntegerType()) {
    auto pieces = piecesOf(*variable->getInit(), items, size);
    if (pieces && pieces->since.isInvalid())
      pieces->since = variable->getLocation();
    return pieces;
  }
  const auto* quotient = llvm::dyn_cast<clang::BinaryOperator>(&bare);
  if (quotient == nullptr || quotient->getOpcode() != clang::BO_Div ||
      !quotient->getType()->isIntegerType() || numberOf(*quotient->getRHS()) != size)
    return std::nullopt;
  SumReader above(ast_, *this, *quotient->getRHS()), wanted(ast_, *this, *quotient->getRHS());
  above.read(*quotient->getLHS(), false);
  wanted.read(items, false);
  const Sum &whole = above.sum, &part = wanted.sum;
  if (!areSame(ast_, whole.added, part.added) ||
      !areSame(ast_, whole.subtracted, part.subtracted) || whole.number - part.number != size - 1)
    return std::nullopt;
  const bool isNamed = whole.named == 1 && part.named == 0 && whole.others - part.others == -1;
  return Pieces{{}, isNamed ? quotient->getRHS()->IgnoreParenImpCasts() : nullptr};
}

} // namespace heddle::rewrite
