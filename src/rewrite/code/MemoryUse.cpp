// SPDX-License-Identifier: Apache-2.0
//
//   1. Every pointer and reference of the body, and of what it calls, has expressions that it is
//      set to: all of them count, whatever the order.
//   2. A place in memory has the roots of the pointers that lead to it, back to those that come
//      from outside.
#include "rewrite/code/MemoryUse.h"

#include "rewrite/code/CallFollower.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <set>
#include <vector>

namespace heddle::rewrite {

using clang::Expr;
using clang::VarDecl;
using Roots = std::set<Memory>;

class PointerSources final : public CallFollower {
public:
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitVarDecl(VarDecl* variable) override {
    if (variable->hasInit())
      add(variable, variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(operation->getLHS()->IgnoreParens());
    if (operation->isAssignmentOp() && name != nullptr)
      add(llvm::dyn_cast<VarDecl>(name->getDecl()), operation->getRHS());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return enter(made->getConstructor(), {made->getArgs(), made->getNumArgs()});
  }

  /// Where an object is.
  Roots rootsOfPlace(const Expr* place) const {
    Roots roots;
    Trail trail;
    addPlace(place, roots, trail);
    return roots;
  }
  /// Where a pointer leads.
  Roots rootsOfPointer(const Expr* pointer) const {
    Roots roots;
    Trail trail;
    addPointer(pointer, roots, trail);
    return roots;
  }

private:
  using Trail = std::set<const clang::Decl*>; ///< pointers that were followed already

  void add(const VarDecl* variable, const Expr* source) {
    if (variable != nullptr && isPointerLike(variable->getType()))
      sources_[variable].insert(source);
  }
  static bool isPointerLike(clang::QualType type) {
    return type->isPointerType() || type->isReferenceType();
  }
  bool enter(const clang::FunctionDecl* callee, llvm::ArrayRef<Expr*> arguments);
  void addSources(const clang::Decl* pointer, bool isReference, Roots& roots, Trail& trail) const;
  void addPlace(const Expr* place, Roots& roots, Trail& trail) const;
  void addPointer(const Expr* pointer, Roots& roots, Trail& trail) const;
  void addMember(const clang::MemberExpr* member, Roots& roots, Trail& trail) const;

  std::map<const clang::Decl*, std::set<const Expr*>> sources_; ///< of `this`: by its class
};

namespace {

const clang::FunctionDecl* bodyOf(const clang::FunctionDecl* callee) {
  const clang::FunctionDecl* body = nullptr;
  return callee != nullptr && callee->hasBody(body) ? body : nullptr;
}

bool isAtomic(const clang::FunctionDecl* callee) {
  return callee->getIdentifier() != nullptr && callee->getName().starts_with("atomic");
}

/// A variable that each thread has for itself: one of the kernel's or of a function it calls.
bool isOwn(const VarDecl* variable) {
  return variable->hasLocalStorage() && !variable->hasAttr<clang::CUDASharedAttr>();
}

bool isKernelParameter(const VarDecl* variable) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
  return llvm::isa<clang::ParmVarDecl>(variable) && function != nullptr &&
         function->hasAttr<clang::CUDAGlobalAttr>();
}

} // namespace

bool PointerSources::VisitCallExpr(clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr || isAtomic(callee))
    return true;
  llvm::ArrayRef<Expr*> arguments(call->getArgs(), call->getNumArgs());
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method == nullptr || method->isStatic())
    return enter(callee, arguments);
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    if (const Expr* object = member->getImplicitObjectArgument())
      sources_[method->getParent()].insert(object);
  } else { // an operator's first operand is its object
    sources_[method->getParent()].insert(arguments.front());
    arguments = arguments.drop_front();
  }
  return enter(callee, arguments);
}

bool PointerSources::enter(const clang::FunctionDecl* callee, llvm::ArrayRef<Expr*> arguments) {
  const clang::FunctionDecl* body = bodyOf(callee);
  if (body == nullptr)
    return true;
  for (unsigned i = 0; i < body->getNumParams() && i < arguments.size(); ++i)
    add(body->getParamDecl(i), arguments[i]);
  return follow(body);
}

void PointerSources::addSources(const clang::Decl* pointer, bool isReference, Roots& roots,
                                Trail& trail) const {
  if (!trail.insert(pointer).second)
    return;
  const auto found = sources_.find(pointer);
  if (found == sources_.end()) {
    roots.insert(Memory{});
    return;
  }
  for (const Expr* source : found->second)
    if (isReference && source->isGLValue())
      addPlace(source, roots, trail);
    else if (source->getType()->isPointerType()) // else a temporary, which is the thread's own
      addPointer(source, roots, trail);
}

void PointerSources::addPlace(const Expr* place, Roots& roots, Trail& trail) const {
  place = place->IgnoreParenCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
    const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
    if (variable == nullptr)
      return;
    if (variable->getType()->isReferenceType())
      addSources(variable, true, roots, trail);
    else if (!isOwn(variable))
      roots.insert(Memory{variable, nullptr});
  } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    addPointer(element->getBase(), roots, trail);
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(place);
             unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
    addPointer(unary->getSubExpr(), roots, trail);
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
    if (member->isArrow())
      addPointer(member->getBase(), roots, trail);
    else
      addPlace(member->getBase(), roots, trail);
  } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(place)) {
    addPlace(choice->getTrueExpr(), roots, trail);
    addPlace(choice->getFalseExpr(), roots, trail);
  } else if (place->isLValue() &&
             !llvm::isa<clang::StringLiteral, clang::MaterializeTemporaryExpr>(place)) {
    roots.insert(Memory{});
  }
}

/// A pointer, or an array, in a record.
void PointerSources::addMember(const clang::MemberExpr* member, Roots& roots, Trail& trail) const {
  if (member->getType()->isArrayType())
    return addPlace(member, roots, trail);
  const Expr* object = member->getBase()->IgnoreParenCasts();
  while (const auto* outer = llvm::dyn_cast<clang::MemberExpr>(object)) {
    if (outer->isArrow())
      break;
    object = outer->getBase()->IgnoreParenCasts();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
  const auto* variable = name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  const bool fromOutside = variable != nullptr && !member->isArrow() &&
                           (isKernelParameter(variable) || !isOwn(variable));
  roots.insert(fromOutside
                   ? Memory{variable, llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())}
                   : Memory{});
}

void PointerSources::addPointer(const Expr* pointer, Roots& roots, Trail& trail) const {
  pointer = pointer->IgnoreParenCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(pointer)) {
    const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
    if (variable == nullptr)
      return;
    if (variable->getType()->isArrayType())
      addPlace(pointer, roots, trail);
    else if (isOwn(variable) && !isKernelParameter(variable))
      addSources(variable, false, roots, trail);
    else
      roots.insert(Memory{variable, nullptr});
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(pointer)) {
    addMember(member, roots, trail);
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(pointer);
             unary != nullptr && unary->getOpcode() != clang::UO_Deref) {
    if (unary->getOpcode() == clang::UO_AddrOf)
      addPlace(unary->getSubExpr(), roots, trail);
    else // counted up or down
      addPointer(unary->getSubExpr(), roots, trail);
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(pointer)) {
    const bool leftLeads = binary->getLHS()->getType()->isPointerType();
    addPointer(leftLeads && !binary->isCommaOp() ? binary->getLHS() : binary->getRHS(), roots,
               trail);
  } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(pointer)) {
    addPointer(choice->getTrueExpr(), roots, trail);
    addPointer(choice->getFalseExpr(), roots, trail);
  } else if (const auto* own = llvm::dyn_cast<clang::CXXThisExpr>(pointer)) {
    const clang::CXXRecordDecl* record = own->getType()->getPointeeCXXRecordDecl();
    addSources(record, true, roots, trail);
  } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(pointer);
             element != nullptr && element->getType()->isArrayType()) { // a row of an array
    addPointer(element->getBase(), roots, trail);
  } else if (!llvm::isa<clang::CXXNullPtrLiteralExpr, clang::IntegerLiteral, clang::GNUNullExpr,
                        clang::StringLiteral>(pointer)) {
    roots.insert(Memory{});
  }
}

namespace {

class UseFinder final : public CallFollower {
public:
  explicit UseFinder(const PointerSources& sources) : sources_(sources) {}
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      note(use.read, sources_.rootsOfPlace(cast->getSubExpr()), cast);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (operation->isAssignmentOp())
      note(use.written, sources_.rootsOfPlace(operation->getLHS()), operation);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp())
      note(use.written, sources_.rootsOfPlace(operation->getSubExpr()), operation);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr)
      return true;
    if (isAtomic(callee) && call->getNumArgs() > 0) {
      const Roots roots = sources_.rootsOfPointer(call->getArg(0));
      note(use.read, roots, call);
      note(use.written, roots, call);
      return true;
    }
    if (const clang::FunctionDecl* body = bodyOf(callee))
      return follow(body);
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    const bool isOperator = llvm::isa<clang::CXXOperatorCallExpr>(call) && method != nullptr;
    if (isOperator) // an assignment that the compiler wrote
      note(use.written, sources_.rootsOfPlace(call->getArg(0)), call);
    for (unsigned i = isOperator ? 1 : 0; i < call->getNumArgs(); ++i)
      pass(call->getArg(i), callee, isOperator ? i - 1 : i);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (const clang::FunctionDecl* body = bodyOf(made->getConstructor()))
      return follow(body);
    for (unsigned i = 0; i < made->getNumArgs(); ++i)
      pass(made->getArg(i), made->getConstructor(), i);
    return true;
  }

  MemoryUse use;

private:
  void note(std::map<Memory, clang::SourceLocation>& to, const Roots& roots, const Expr* where) {
    for (const Memory& root : roots)
      to.emplace(root, where->getExprLoc());
  }
  /// To a function whose body is not known: what it may change is in the parameter's type.
  void pass(const Expr* argument, const clang::FunctionDecl* callee, unsigned i) {
    const clang::QualType type =
        i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : argument->getType();
    if (!type->isPointerType() && !type->isReferenceType())
      return;
    const Roots roots =
        type->isPointerType() ? sources_.rootsOfPointer(argument) : sources_.rootsOfPlace(argument);
    note(use.read, roots, argument);
    if (!type->getPointeeType().isConstQualified())
      note(use.written, roots, argument);
  }

  const PointerSources& sources_;
};

} // namespace

std::string Memory::name() const {
  if (variable == nullptr)
    return "memory behind a pointer that was loaded or computed";
  return variable->getNameAsString() + (member != nullptr ? "." + member->getNameAsString() : "");
}

MemoryUses::MemoryUses(const clang::Stmt& body) : sources_(std::make_unique<PointerSources>()) {
  sources_->TraverseStmt(const_cast<clang::Stmt*>(&body));
}
MemoryUses::~MemoryUses() = default;

MemoryUse MemoryUses::of(const clang::Stmt& code) const {
  UseFinder finder(*sources_);
  finder.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return std::move(finder.use);
}

const Memory* findConflict(const MemoryUse& reader, const MemoryUse& writer) {
  for (const auto& [read, where] : reader.read) {
    if (writer.written.contains(read))
      return &read;
    const bool mayBeAny =
        read == Memory{} ? !writer.written.empty() : writer.written.contains(Memory{});
    if (mayBeAny)
      return &read;
  }
  return nullptr;
}

} // namespace heddle::rewrite
