// SPDX-License-Identifier: Apache-2.0
//
// Values and types are known in the instances of a template, names and edits are those of its
// pattern: variables of both are the same where their place in the source is.
#include "rewrite/regroup/TravellingState.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/SharedBytes.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/regroup/Refusals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite::regroup {
namespace {

using clang::VarDecl;

constexpr std::int64_t longestArray = 64;         ///< bytes
constexpr std::int64_t piece = 16;                ///< regroup.cuh moves states in these
constexpr std::int64_t sharedOfLoop = 2 * 16 * 4; ///< its counters

/// A variable whose address is kept: somebody may use it where another thread's value is.
class KeptAddresses final : public TreeVisitor {
public:
  /// A function that returns a number cannot return the address.
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (call->getType()->isVoidType() || call->getType()->isArithmeticType())
      for (const clang::Expr* argument : call->arguments())
        harmless_.insert(argument->IgnoreParenCasts());
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    harmless_.insert(element->getBase()->IgnoreParenCasts());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->getOpcode() == clang::UO_AddrOf && !harmless_.contains(operation))
      keep(operation->getSubExpr());
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay &&
        !harmless_.contains(cast->getSubExpr()->IgnoreParenCasts()))
      keep(cast->getSubExpr());
    return true;
  }

  std::set<const VarDecl*> found;

private:
  void keep(const clang::Expr* place) {
    while (const auto* element =
               llvm::dyn_cast<clang::ArraySubscriptExpr>(place->IgnoreParenCasts()))
      place = element->getBase();
    if (const VarDecl* variable = namedVariable(*place->IgnoreParenCasts()))
      found.insert(variable);
  }
  std::set<const clang::Expr*> harmless_;
};

bool hasReference(clang::QualType type) {
  const clang::RecordDecl* record = type->getBaseElementTypeUnsafe()->getAsRecordDecl();
  return record != nullptr && std::ranges::any_of(record->fields(), [](const auto* field) {
           return field->getType()->isReferenceType() || hasReference(field->getType());
         });
}

bool holdsLambda(const clang::Stmt& code) {
  return llvm::isa<clang::LambdaExpr>(code) ||
         std::ranges::any_of(code.children(), [](const clang::Stmt* child) {
           return child != nullptr && holdsLambda(*child);
         });
}

class StateFinder {
public:
  StateFinder(const Source& source, const Placed& branch, const WayLoop& cut)
      : source_(source), loop_(*branch.loop()), body_(*branch.around.back()),
        behind_(behind(branch)), values_(body_, &loop_) {
    for (const VarDecl* variable : cut.hoisted.variables)
      if (!variable->isConstexpr())
        hoisted_.insert(variable->getLocation());
  }

  Legal<void> find(BlockLimits block);

  std::set<clang::SourceLocation> travelling, usedBehind;

private:
  void use(const VarDecl* variable, bool isBehind);
  Legal<void> checkTypes();
  Legal<void> checkNames() const;
  Legal<void> checkSize(BlockLimits block) const;
  std::string at(const VarDecl& variable) const {
    return fmt::format("{} in line {}", variable.getNameAsString(),
                       source_.lineOf(variable.getLocation()));
  }

  const Source& source_;
  const clang::Stmt& loop_;
  const clang::Stmt& body_;
  Behind behind_;
  BlockValues values_;
  std::set<clang::SourceLocation> hoisted_;
  std::set<const VarDecl*> inside_;     ///< declared in the loop's body, and staying there
  std::vector<const VarDecl*> carried_; ///< all that is in the state
};

void StateFinder::use(const VarDecl* variable, bool isBehind) {
  if (!variable->hasLocalStorage() || inside_.contains(variable) || values_.isUniform(*variable))
    return;
  if (travelling.insert(variable->getLocation()).second)
    carried_.push_back(variable);
  if (isBehind)
    usedBehind.insert(variable->getLocation());
}

Legal<void> StateFinder::find(BlockLimits block) {
  std::set<const VarDecl*> first;
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop_);
      counted != nullptr && counted->getInit() != nullptr)
    for (const VarDecl* variable : declaredIn(*counted->getInit()))
      first.insert(variable);
  for (const VarDecl* variable : declaredIn(loop_)) {
    if (hoisted_.contains(variable->getLocation()))
      carried_.push_back(variable);
    if (!first.contains(variable))
      inside_.insert(variable);
  }
  for (const VarDecl* variable : variablesIn(loop_))
    use(variable, false);
  std::set<const VarDecl*> here;
  for (const clang::Stmt* code : behind_.after) {
    for (const VarDecl* variable : declaredIn(*code))
      here.insert(variable);
    for (const VarDecl* variable : variablesIn(*code))
      if (!here.contains(variable))
        use(variable, true);
  }
  // A variable of the loop's own begins anew in each of its turns.
  for (const clang::Stmt* outer : behind_.loops) {
    const std::vector<const VarDecl*> own = declaredIn(*outer);
    for (const VarDecl* variable : variablesIn(*outer))
      if (std::ranges::find(own, variable) == own.end())
        use(variable, true);
  }
  if (holdsLambda(loop_))
    return refuse(refusals["state-cannot-travel"],
                  "the loop holds a lambda, which cannot name what travels");
  if (auto checked = checkTypes(); !checked)
    return checked;
  if (auto checked = checkNames(); !checked)
    return checked;
  return checkSize(block);
}

Legal<void> StateFinder::checkTypes() {
  KeptAddresses kept;
  kept.TraverseStmt(const_cast<clang::Stmt*>(&body_));
  const clang::ASTContext& ast = source_.ast();
  for (const VarDecl* variable : carried_) {
    const clang::QualType type = variable->getType();
    const auto no = [&](const char* why) {
      return refuse(refusals["state-cannot-travel"], "{} {}", at(*variable), why);
    };
    if (type->isReferenceType())
      return no("is a reference: read it into a variable");
    if (type->isDependentType() || type->isVariableArrayType())
      return no("has no known size");
    if (llvm::isa<clang::DecompositionDecl>(variable))
      return no("is a structured binding");
    if (!type.isTriviallyCopyableType(ast) || hasReference(type))
      return no("cannot be copied byte by byte");
    if (kept.found.contains(variable))
      return no("has its address kept somewhere");
    if (type->isArrayType() && type.isConstQualified())
      return no("is a constant array");
    if (type->isArrayType() && ast.getTypeSizeInChars(type).getQuantity() > longestArray)
      return refuse(refusals["state-too-large"],
                    "{} is an array of {} bytes; at most {} travel well", at(*variable),
                    ast.getTypeSizeInChars(type).getQuantity(), longestArray);
  }
  return {};
}

/// Each name must mean one variable in all parts.
Legal<void> StateFinder::checkNames() const {
  for (const VarDecl* variable : carried_) {
    const auto hides = [&](const VarDecl* other) {
      return other != variable && other->getName() == variable->getName();
    };
    for (const auto& others :
         {std::vector<const VarDecl*>(inside_.begin(), inside_.end()), carried_})
      if (const auto found = std::ranges::find_if(others, hides); found != others.end())
        return refuse(refusals["state-cannot-travel"], "{} has the name of another variable, {}",
                      at(*variable), at(**found));
  }
  return {};
}

Legal<void> StateFinder::checkSize(BlockLimits block) const {
  const clang::ASTContext& ast = source_.ast();
  std::int64_t size = 1; // whether the thread has returned
  for (const VarDecl* variable : carried_) {
    const std::int64_t alignment = ast.getTypeAlignInChars(variable->getType()).getQuantity();
    size = (size + alignment - 1) / alignment * alignment;
    size += ast.getTypeSizeInChars(variable->getType()).getQuantity();
  }
  const std::int64_t own = sharedBytesOf(ast, body_);
  const std::int64_t rounded = (size + piece - 1) / piece * piece;
  const std::int64_t needed = block.threads * (rounded + 4) + sharedOfLoop + own;
  if (needed > block.shared)
    return refuse(
        refusals["state-too-large"],
        "{} bytes a thread and the kernel's own take {} bytes of a block's shared memory, "
        "more than {}; use smaller blocks",
        size, needed, block.shared);
  return {};
}

} // namespace

Behind behind(const Placed& branch) {
  Behind result;
  const clang::Stmt* inner = branch.loop();
  const auto loop = std::ranges::find(branch.around, inner);
  for (auto outer = loop + 1; outer < branch.around.end(); inner = *outer++) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(*outer)) {
      const auto at = std::find(block->body_begin(), block->body_end(), inner);
      result.after.insert(result.after.end(), at + 1, block->body_end());
    } else if (isLoop(**outer) || llvm::isa<clang::CXXForRangeStmt>(*outer)) {
      result.loops.push_back(*outer);
    }
  }
  return result;
}

Legal<TravellingState> findTravellingState(const Source& source, const BranchStatement& branch,
                                           const WayLoop& loop, BlockLimits block) {
  std::set<clang::SourceLocation> travelling, usedBehind;
  for (const Placed& instance : branch.instances) {
    StateFinder finder(source, instance, loop);
    if (auto found = finder.find(block); !found)
      return tl::unexpected(found.error());
    travelling.merge(finder.travelling);
    usedBehind.merge(finder.usedBehind);
  }
  TravellingState state;
  const auto add = [&](const VarDecl* variable) {
    if (!travelling.contains(variable->getLocation()))
      return;
    state.variables.push_back(variable);
    if (usedBehind.contains(variable->getLocation()))
      state.usedBehind.insert(variable);
  };
  std::ranges::for_each(branch.function->parameters(), add);
  std::ranges::for_each(declaredIn(*branch.function->getBody()), add);
  for (const VarDecl* variable : state.variables)
    if (variable->getType()->isUndeducedType())
      return refuse(refusals["state-cannot-travel"],
                    "{} in line {} is auto in a template: name its type",
                    variable->getNameAsString(), source.lineOf(variable->getLocation()));
  return state;
}

} // namespace heddle::rewrite::regroup
