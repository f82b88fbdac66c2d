// SPDX-License-Identifier: Apache-2.0
#include "rewrite/aggregate/Atomics.h"

#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;
using clang::Expr;
using clang::Stmt;

struct Operation {
  llvm::StringRef atomic, aggregated;
};
constexpr std::array operations = {
    Operation{"atomicAdd", "aggregate_add"}, Operation{"atomicMin", "aggregate_min"},
    Operation{"atomicMax", "aggregate_max"}, Operation{"atomicAnd", "aggregate_and"},
    Operation{"atomicOr", "aggregate_or"},   Operation{"atomicXor", "aggregate_xor"},
    Operation{"atomicSub", "aggregate_sub"},
};

const Operation* operationOf(const CallExpr& call) {
  const std::string name = calledName(call);
  const auto found = std::ranges::find(operations, llvm::StringRef(name), &Operation::atomic);
  return found != operations.end() && call.getNumArgs() == 2 ? &*found : nullptr;
}

/// Whether code names a variable in shared memory.
class SharedNames final : public TreeVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    found = name->getDecl()->hasAttr<clang::CUDASharedAttr>();
    return !found;
  }
  bool found = false;
};

bool isOnSharedMemory(const CallExpr& call) {
  SharedNames names;
  names.TraverseStmt(const_cast<clang::Expr*>(call.getArg(0)));
  return names.found;
}

/// Atomics that are statements of their own: nobody uses their results.
class Atomics final : public TreeVisitor {
public:
  bool VisitCompoundStmt(clang::CompoundStmt* block) override {
    for (const Stmt* each : block->body())
      take(each);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    take(branch->getThen());
    take(branch->getElse());
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    take(loop->getBody());
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    take(loop->getBody());
    return true;
  }
  bool VisitSwitchCase(clang::SwitchCase* label) override {
    take(label->getSubStmt());
    return true;
  }

  std::vector<const CallExpr*> found;

private:
  void take(const Stmt* statement) {
    const auto* value = llvm::dyn_cast_or_null<clang::Expr>(statement);
    const auto* call =
        value != nullptr ? llvm::dyn_cast<CallExpr>(value->IgnoreParenCasts()) : nullptr;
    if (call != nullptr && operationOf(*call) != nullptr && !isOnSharedMemory(*call))
      found.push_back(call);
  }
};

/// Whether a counter goes up by one, and is a whole number of a type that is known.
bool countsByOne(const CallExpr& call, const clang::ASTContext& ast) {
  if (calledName(call) != "atomicAdd" || call.getNumArgs() != 2 || call.isTypeDependent() ||
      call.getArg(1)->isValueDependent() || call.getArg(0)->isTypeDependent())
    return false;
  const clang::QualType counter = call.getArg(0)->getType()->getPointeeType();
  Expr::EvalResult step;
  return !counter.isNull() && counter->isIntegerType() && !counter.isVolatileQualified() &&
         call.getArg(1)->EvaluateAsInt(step, ast) && step.Val.getInt() == 1;
}

class Calls final : public TreeVisitor {
public:
  bool VisitCallExpr(CallExpr* call) override {
    found.push_back(call);
    return true;
  }
  std::vector<const CallExpr*> found;
};

} // namespace

std::string calledName(const CallExpr& call) {
  const clang::Expr* callee = call.getCallee()->IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    return name->getNameInfo().getAsString();
  if (const auto* open = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee)) // in a template
    return open->getName().getAsString();
  return "";
}

std::string aggregatedName(const CallExpr& call) {
  const Operation* operation = operationOf(call);
  return operation != nullptr ? operation->aggregated.str() : "";
}

std::vector<const CallExpr*> findAtomics(const Stmt& body) {
  Atomics atomics;
  atomics.TraverseStmt(const_cast<Stmt*>(&body));
  std::ranges::sort(atomics.found, {}, [](const CallExpr* call) { return call->getBeginLoc(); });
  return std::move(atomics.found);
}

std::vector<const CallExpr*> findPlaces(const Source& source, const Stmt& body) {
  const std::vector<const CallExpr*> unused = findAtomics(body);
  Calls calls;
  calls.TraverseStmt(const_cast<Stmt*>(&body));
  std::erase_if(calls.found, [&](const CallExpr* call) {
    return !countsByOne(*call, source.ast()) || isOnSharedMemory(*call) ||
           std::ranges::find(unused, call) != unused.end() ||
           !source.rangeOf(call->getSourceRange());
  });
  return std::move(calls.found);
}

} // namespace heddle::rewrite::aggregate
