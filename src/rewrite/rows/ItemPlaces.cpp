// SPDX-License-Identifier: Apache-2.0
//
//   1. Every store is through an index that grows with the item by a constant, and all stores to
//      one array are through the same index.
//   2. What is read of an array that is stored to is read at that same place; or, where items join
//      into one element of it, behind that element: s[0] += s[k] for k from 1 on.
//   3. Atomic operations commute, and nothing else reads or writes what they change.
#include "rewrite/rows/ItemPlaces.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

constexpr std::array<std::string_view, 6> commuting = {"atomicAdd", "atomicSub", "atomicMin",
                                                       "atomicMax", "atomicAnd", "atomicOr"};

bool commutes(std::string_view name) {
  const auto isIt = [&](std::string_view known) {
    return name == known || name == std::string(known) + "_block" ||
           name == std::string(known) + "_system";
  };
  return std::ranges::any_of(commuting, isIt) || isIt("atomicXor");
}

const Expr* stripped(const Expr* expression) {
  return expression->IgnoreParenImpCasts();
}

/// `a = b` of two objects that are copied byte by byte.
bool isPlainCopy(const clang::CallExpr& call) {
  const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  return operation != nullptr && operation->getOperator() == clang::OO_Equal && method != nullptr &&
         method->isTrivial();
}

struct Store {
  const Expr* whole; ///< the assignment
  const Expr* place;
  const Expr* value; ///< nullptr: it depends on what was there
};

bool isAtomicCall(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee != nullptr && callee->getIdentifier() != nullptr &&
         callee->getName().starts_with("atomic");
}

/// What code writes, reads and calls.
class Accesses final : public TreeVisitor {
public:
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const bool isPlain = operation->getOpcode() == clang::BO_Assign;
    if (operation->isAssignmentOp())
      stores.push_back({operation, operation->getLHS(), isPlain ? operation->getRHS() : nullptr});
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp())
      stores.push_back({operation, operation->getSubExpr(), nullptr});
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      reads.push_back(cast);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (isPlainCopy(*call))
      stores.push_back({call, call->getArg(0), nullptr});
    else
      calls.push_back(call);
    return true;
  }

  std::vector<Store> stores;
  std::vector<const clang::ImplicitCastExpr*> reads;
  std::vector<const clang::CallExpr*> calls;
};

/// The access to memory that a place is part of: `out[k]` of `out[k].at[2]`. nullptr: it is a
/// variable of the thread's, or part of one.
const Expr* accessOf(const Expr* place) {
  for (;;) {
    place = place->IgnoreParenCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place);
        member && !member->isArrow()) {
      place = member->getBase();
      continue;
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
      const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
      const bool isOwn = variable != nullptr && variable->hasLocalStorage() &&
                         !variable->getType()->isReferenceType();
      return isOwn ? nullptr : place;
    }
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
    const Expr* base = element != nullptr ? stripped(element->getBase()) : nullptr;
    if (base == nullptr || !base->getType()->isArrayType())
      return place;
    if (llvm::isa<clang::DeclRefExpr>(base))
      return accessOf(base) != nullptr ? place : nullptr;
    place = base;
  }
}

class PlaceChecker {
public:
  PlaceChecker(const Source& source, const RowLoop& loop, const std::vector<JoinedPlace>& joined)
      : source_(source), loop_(loop), joinedPlaces_(joined), uses_(*loop.function) {
    for (const JoinedPlace& each : joined)
      joined_.insert(each.names.begin(), each.names.end());
    for (const VarDecl* each : declaredIn(*loop.body))
      inner_.insert(each);
    changed_ = modifiedIn(*loop.body);
  }

  Legal<bool> check();

private:
  tl::unexpected<Refusal> no(const Stmt& where, const std::string& what) const {
    return refuse(common["not-its-place"], "line {} {}", source_.lineOf(where.getBeginLoc()), what);
  }
  std::string textOf(const Expr& expression) const {
    return source_.textOf(expression.getSourceRange());
  }
  Legal<void> checkStore(const Store& store);
  Legal<void> checkCall(const clang::CallExpr& call);
  Legal<void> checkRead(const clang::ImplicitCastExpr& read) const;
  Legal<void> take(const Expr& where, const std::string& place);
  const Memory* conflictOf(const MemoryUse& use, const Expr* access) const;
  bool isBehind(const Expr* access, const std::string& place) const;
  std::optional<std::int64_t> offsetOf(const Expr& index) const;
  bool isFixed(const Expr& expression) const;
  bool isFixedBase(const Expr& base) const;
  std::optional<std::int64_t> growthOf(const Expr& index) const;
  std::optional<std::int64_t> constantOf(const Expr& value) const;
  bool isItsOwn(const Expr& access) const;

  const Source& source_;
  const RowLoop& loop_;
  const std::vector<JoinedPlace>& joinedPlaces_;
  MemoryUses uses_;
  std::set<const VarDecl*> inner_, changed_;
  std::set<const Expr*> joined_;
  bool stores_ = false;
  /// What is stored to, and at which place, by which atomic operation or as which constant.
  std::map<Memory, std::string> places_;
};

/// The same for all items: it names nothing that the loop makes or changes, and reads no memory.
bool PlaceChecker::isFixed(const Expr& expression) const {
  const Effects effects = effectsOf(expression);
  return effects.pure() && readsNoMemory(expression) &&
         std::ranges::none_of(effects.reads, [&](const VarDecl* each) {
           return each == loop_.item || inner_.contains(each) || changed_.contains(each);
         });
}

std::optional<std::int64_t> PlaceChecker::constantOf(const Expr& value) const {
  Expr::EvalResult result;
  if (value.isValueDependent() || !value.getType()->isIntegerType() ||
      !value.EvaluateAsInt(result, source_.ast()))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

/// By how much an index grows from item to item, in items; nothing: not by a constant.
std::optional<std::int64_t> PlaceChecker::growthOf(const Expr& index) const {
  const Expr* bare = index.IgnoreParenImpCasts();
  if (isFixed(*bare))
    return 0;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
    if (variable == loop_.item)
      return variable->getType()->isIntegerType() ? std::optional<std::int64_t>(1) : std::nullopt;
    const bool isName = variable != nullptr && inner_.contains(variable) && variable->hasInit() &&
                        !changed_.contains(variable) && variable->getType()->isIntegerType() &&
                        source_.ast().getTypeSize(variable->getType()) >= 32;
    return isName ? growthOf(*variable->getInit()) : std::nullopt;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (binary == nullptr)
    return std::nullopt;
  const auto left = growthOf(*binary->getLHS()), right = growthOf(*binary->getRHS());
  if (!left || !right)
    return std::nullopt;
  switch (binary->getOpcode()) {
  case clang::BO_Add:
    return *left + *right;
  case clang::BO_Sub:
    return *left - *right;
  case clang::BO_Mul:
    if (const auto by = constantOf(*binary->getRHS()))
      return *left * *by;
    if (const auto by = constantOf(*binary->getLHS()))
      return *right * *by;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// A pointer, or an array of the program's.
bool PlaceChecker::isFixedBase(const Expr& base) const {
  const Expr* bare = stripped(&base);
  const bool isArray = llvm::isa<clang::DeclRefExpr>(bare) && bare->getType()->isArrayType();
  return isArray || isFixed(base);
}

/// `out[k + 1]`, or `*(out + k)`, or `*p` where the item is the pointer.
bool PlaceChecker::isItsOwn(const Expr& access) const {
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&access)) {
    const auto growth = growthOf(*element->getIdx());
    return growth && *growth != 0 && isFixedBase(*element->getBase());
  }
  const auto* star = llvm::dyn_cast<clang::UnaryOperator>(&access);
  if (star == nullptr || star->getOpcode() != clang::UO_Deref)
    return false;
  const Expr* pointer = star->getSubExpr()->IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(pointer))
    return name->getDecl() == loop_.item;
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(pointer);
  if (sum == nullptr || sum->getOpcode() != clang::BO_Add)
    return false;
  const auto growth = growthOf(*sum->getRHS());
  return growth && *growth != 0 && isFixedBase(*sum->getLHS());
}

/// One place for each array.
Legal<void> PlaceChecker::take(const Expr& where, const std::string& place) {
  for (const auto& [memory, line] : uses_.of(where).written) {
    const auto [known, isNew] = places_.emplace(memory, place);
    const bool mayBeAny = places_.size() > 1 && places_.contains(Memory{});
    if (known->second != place || mayBeAny)
      return no(where,
                fmt::format("writes {}, which may be what another item writes", memory.name()));
  }
  return {};
}

/// Step 1.
Legal<void> PlaceChecker::checkStore(const Store& store) {
  const Expr* access = accessOf(store.place);
  if (access == nullptr)
    return {}; // a variable of the item's own, or one that it joins into
  if (joined_.contains(store.place->IgnoreParens()))
    return take(*store.whole, textOf(*access));
  stores_ = true;
  if (isItsOwn(*access))
    return take(*store.whole, textOf(*access));
  const bool isSame = store.value != nullptr && !store.value->isValueDependent() &&
                      store.value->isEvaluatable(source_.ast());
  if (!isSame)
    return no(*store.whole, "may store where another item does");
  return take(*store.whole, "the constant " + textOf(*store.value));
}

/// Step 3.
Legal<void> PlaceChecker::checkCall(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (isAtomicCall(call)) {
    if (!commutes(std::string_view(callee->getName())))
      return refuse(common["order-of-atomics"], "line {} calls {}, whose order matters",
                    source_.lineOf(call.getBeginLoc()), callee->getNameAsString());
    stores_ = true;
    return take(call, callee->getNameAsString());
  }
  const bool storesShared = std::ranges::any_of(uses_.of(call).written, [](const auto& each) {
    return each.first.variable != nullptr &&
           each.first.variable->template hasAttr<clang::CUDASharedAttr>();
  });
  if (effectsOf(call).stores || storesShared)
    return no(call, fmt::format("calls {}, which may write memory",
                                callee != nullptr ? callee->getNameAsString() : "a function"));
  return {};
}

/// The constant of `k`, `k + 1` or `1 + k`.
std::optional<std::int64_t> PlaceChecker::offsetOf(const Expr& index) const {
  const Expr* bare = index.IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare))
    return name->getDecl() == loop_.item ? std::optional<std::int64_t>(0) : std::nullopt;
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (sum == nullptr || sum->getOpcode() != clang::BO_Add)
    return std::nullopt;
  const auto left = constantOf(*sum->getLHS()), right = constantOf(*sum->getRHS());
  const auto item = offsetOf(left ? *sum->getRHS() : *sum->getLHS());
  return item && (left || right) ? std::optional(*item + (left ? *left : *right)) : std::nullopt;
}

/// An element behind the one that items join into, for all items.
bool PlaceChecker::isBehind(const Expr* access, const std::string& place) const {
  const auto joined = std::ranges::find(joinedPlaces_, place, &JoinedPlace::text);
  const auto begin = loop_.begin != nullptr ? constantOf(*loop_.begin) : std::nullopt;
  if (access == nullptr || joined == joinedPlaces_.end() || !begin || loop_.step < 0)
    return false;
  const auto* read = llvm::dyn_cast<clang::ArraySubscriptExpr>(access);
  const auto* one =
      llvm::dyn_cast<clang::ArraySubscriptExpr>(joined->names.front()->IgnoreParens());
  if (read == nullptr || one == nullptr || textOf(*read->getBase()) != textOf(*one->getBase()) ||
      variablesIn(*read->getBase()) != variablesIn(*one->getBase()))
    return false;
  const auto offset = offsetOf(*read->getIdx()), at = constantOf(*one->getIdx());
  return offset && at && *begin + *offset > *at;
}

/// What is read of memory that is written elsewhere than at this item's place.
const Memory* PlaceChecker::conflictOf(const MemoryUse& use, const Expr* access) const {
  const std::string place = access != nullptr ? textOf(*access) : "";
  for (const auto& [read, where] : use.read)
    for (const auto& [written, at] : places_)
      if ((read == written || read == Memory{} || written == Memory{}) && at != place &&
          !(read == written && isBehind(access, at)))
        return &written;
  return nullptr;
}

/// Step 2.
Legal<void> PlaceChecker::checkRead(const clang::ImplicitCastExpr& read) const {
  const Expr* access = accessOf(read.getSubExpr());
  if (access == nullptr)
    return {};
  const MemoryUse use = uses_.of(read);
  if (const Memory* memory = conflictOf(use, access))
    return no(read, fmt::format("reads what items write to {}", memory->name()));
  return {};
}

Legal<bool> PlaceChecker::check() {
  Accesses accesses;
  accesses.TraverseStmt(const_cast<Stmt*>(loop_.body));
  for (const Store& store : accesses.stores)
    if (auto legal = checkStore(store); !legal)
      return tl::unexpected(legal.error());
  for (const clang::CallExpr* call : accesses.calls)
    if (auto legal = checkCall(*call); !legal)
      return tl::unexpected(legal.error());
  for (const clang::ImplicitCastExpr* read : accesses.reads)
    if (auto legal = checkRead(*read); !legal)
      return tl::unexpected(legal.error());
  for (const clang::CallExpr* call : accesses.calls)
    if (const Memory* memory = conflictOf(uses_.of(*call), nullptr);
        memory != nullptr && !places_.empty() && !isAtomicCall(*call))
      return no(*call, fmt::format("reads what items write to {}", memory->name()));
  return stores_;
}

} // namespace

Legal<bool> checkItemPlaces(const Source& source, const RowLoop& loop,
                            const std::vector<JoinedPlace>& joined) {
  return PlaceChecker(source, loop, joined).check();
}

} // namespace heddle::rewrite
