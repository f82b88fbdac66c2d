// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rows/OwnValues.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

constexpr std::int64_t largest = 64; ///< bytes

/// Pointers that may lead to a variable of the thread.
class LocalPointers final : public TreeVisitor {
public:
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitVarDecl(VarDecl* variable) override {
    if (variable->hasInit())
      take(variable, variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const Expr* place = operation->getLHS();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place->IgnoreParens()))
      place = member->getBase();
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
    if (operation->isAssignmentOp() && name != nullptr)
      take(llvm::dyn_cast<VarDecl>(name->getDecl()), operation->getRHS());
    return true;
  }

  /// Again until nothing is found any more.
  void find(const Stmt& function) {
    for (std::size_t before = 1, now = 0; before != now; now = found.size()) {
      before = found.size();
      TraverseStmt(const_cast<Stmt*>(&function));
      if (found.size() == before)
        return;
    }
  }

  std::set<const VarDecl*> found;

private:
  static bool holdsPointers(clang::QualType type) {
    return type->isPointerType() || type->isReferenceType() || type->isRecordType();
  }
  bool leadsInside(const Expr& value) const {
    class Finder final : public TreeVisitor {
    public:
      explicit Finder(const std::set<const VarDecl*>& known) : known_(known) {}
      bool shouldVisitImplicitCode() const override { return true; }
      bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
        if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
          noteLocal(cast->getSubExpr());
        return true;
      }
      bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
        if (operation->getOpcode() == clang::UO_AddrOf)
          noteLocal(operation->getSubExpr());
        return true;
      }
      bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
        found = found || known_.contains(llvm::dyn_cast<VarDecl>(name->getDecl()));
        return !found;
      }
      bool found = false;

    private:
      void noteLocal(const Expr* place) {
        const VarDecl* variable = namedVariable(*place);
        found = found || (variable != nullptr && variable->hasLocalStorage());
      }
      const std::set<const VarDecl*>& known_;
    } finder(found);
    finder.TraverseStmt(const_cast<Expr*>(&value));
    return finder.found;
  }
  void take(const VarDecl* variable, const Expr* value) {
    if (variable != nullptr && holdsPointers(variable->getType()) && leadsInside(*value))
      found.insert(variable);
  }
};

/// What a lambda cannot capture, or not for another lane.
class Uncaptured final : public TreeVisitor {
public:
  explicit Uncaptured(const Stmt& body) {
    for (const VarDecl* each : declaredIn(body))
      inner_.insert(each);
    TraverseStmt(const_cast<Stmt*>(&body));
  }
  bool shouldVisitImplicitCode() const override { return true; }
  bool aroundStatement(Stmt* statement, Walk inside) override {
    if (llvm::isa<clang::CXXThisExpr>(statement) && what == nullptr)
      what = "this", where = statement;
    return inside();
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* binding = llvm::dyn_cast<clang::BindingDecl>(name->getDecl());
    const auto* whole =
        binding != nullptr ? llvm::dyn_cast<VarDecl>(binding->getDecomposedDecl()) : nullptr;
    if (whole != nullptr && !inner_.contains(whole))
      what = "a structured binding", where = name;
    return true;
  }

  const char* what = nullptr;
  const Stmt* where = nullptr;

private:
  std::set<const VarDecl*> inner_;
};

bool holdsReference(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record != nullptr &&
         (record->isLambda() ||
          std::ranges::any_of(record->fields(), [](const clang::FieldDecl* each) {
            return each->getType()->isReferenceType() || holdsReference(each->getType());
          }));
}

class OwnFinder {
public:
  OwnFinder(const Source& source, const BranchStatement& branch, const RowLoop& loop)
      : source_(source), isKernel_(branch.function->hasAttr<clang::CUDAGlobalAttr>()), loop_(loop),
        values_(*loop.function, nullptr, Returned::Ignored) {
    pointers_.find(*loop.function);
  }

  Legal<std::vector<const VarDecl*>> find(const RowBody& body) const {
    if (const Uncaptured odd(*loop_.body); odd.what != nullptr)
      return refuse(common["own-value-unfit"], "line {} uses {}",
                    source_.lineOf(odd.where->getBeginLoc()), odd.what);
    std::vector<const VarDecl*> known = declaredIn(*loop_.body), own;
    known.push_back(loop_.item);
    for (const Accumulator& each : body.accumulators)
      known.insert(known.end(), each.variables.begin(), each.variables.end());
    for (const VarDecl* variable : variablesBeside(*loop_.body, body.places)) {
      const bool isOurs = std::ranges::find(known, variable) != known.end();
      if (isOurs || !variable->hasLocalStorage() || isSame(*variable))
        continue;
      if (auto fit = check(*variable); !fit)
        return tl::unexpected(fit.error());
      own.push_back(variable);
    }
    for (const JoinedPlace& place : body.places)
      for (const VarDecl* variable : variablesIn(*place.names.front()))
        if (place.isMemory && pointers_.found.contains(variable))
          return refuse(common["own-value-unfit"], "{} may be reached by {} and by its own name",
                        place.text, variable->getNameAsString());
    return own;
  }

private:
  /// For all threads of the block. A function's parameters are not.
  bool isSame(const VarDecl& variable) const {
    return variable.isUsableInConstantExpressions(source_.ast()) ||
           (isKernel_ && values_.isUniform(variable));
  }

  Legal<void> check(const VarDecl& variable) const {
    const clang::QualType type = variable.getType();
    const clang::ASTContext& ast = source_.ast();
    const auto no = [&](const std::string& why) {
      return refuse(common["own-value-unfit"], "{} of line {} {}", variable.getNameAsString(),
                    source_.lineOf(variable.getLocation()), why);
    };
    if (type->isReferenceType())
      return no("is a reference");
    if (type->isArrayType())
      return no("is an array of the thread");
    if (type->isDependentType() || !type.isTriviallyCopyableType(ast) || holdsReference(type))
      return no("cannot be copied byte by byte");
    if (ast.getTypeSizeInChars(type).getQuantity() > largest)
      return no(fmt::format("has {} bytes, more than {}",
                            ast.getTypeSizeInChars(type).getQuantity(), largest));
    if (pointers_.found.contains(&variable))
      return no("may point to a variable of the thread");
    return {};
  }

  const Source& source_;
  bool isKernel_;
  const RowLoop& loop_;
  BlockValues values_;
  LocalPointers pointers_;
};

} // namespace

Legal<std::vector<const VarDecl*>> findOwnValues(const Source& source,
                                                 const BranchStatement& branch, const RowLoop& loop,
                                                 const RowBody& body) {
  return OwnFinder(source, branch, loop).find(body);
}

} // namespace heddle::rewrite
