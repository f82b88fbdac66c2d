// SPDX-License-Identifier: Apache-2.0
#include "rewrite/aggregate/Aggregate.h"

#include "rewrite/aggregate/Refusals.h"
#include "rewrite/code/CallFollower.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;
using clang::Stmt;

struct Operation {
  llvm::StringRef atomic, aggregated;
};
constexpr std::array operations = {
    Operation{"atomicAdd", "aggregate_add"}, Operation{"atomicMin", "aggregate_min"},
    Operation{"atomicMax", "aggregate_max"}, Operation{"atomicAnd", "aggregate_and"},
    Operation{"atomicOr", "aggregate_or"},   Operation{"atomicXor", "aggregate_xor"},
};

/// Of what is called; "" where that is an expression.
std::string calledName(const CallExpr& call) {
  const clang::Expr* callee = call.getCallee()->IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    return name->getNameInfo().getAsString();
  if (const auto* open = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee)) // in a template
    return open->getName().getAsString();
  return "";
}

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
        value != nullptr ? llvm::dyn_cast<CallExpr>(value->IgnoreParenImpCasts()) : nullptr;
    if (call != nullptr && operationOf(*call) != nullptr && !isOnSharedMemory(*call))
      found.push_back(call);
  }
};

/// Looks for what orders memory between threads of different blocks.
class Fences final : public CallFollower {
public:
  bool VisitCallExpr(CallExpr* call) override {
    const std::string name = calledName(*call);
    if (llvm::StringRef(name).contains("threadfence") || name == "__nanosleep")
      return stop(call, name);
    return CallFollower::VisitCallExpr(call);
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    const auto* method = call->getMethodDecl();
    return method == nullptr || method->getNameAsString() != "sync" || stop(call, "sync()");
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    return !cast->getSubExpr()->getType().isVolatileQualified() || stop(cast, "volatile memory");
  }

  const clang::Expr* found = nullptr;
  std::string what;

private:
  bool stop(const clang::Expr* where, std::string name) {
    found = where;
    what = std::move(name);
    return false;
  }
};

} // namespace

Legal<std::vector<Proposal>> proposeAggregatedAtomics(const Source& source, const Target& target) {
  const clang::FunctionDecl& kernel = *target.kernel;
  Stmt* body = kernel.getBody();
  Atomics atomics;
  atomics.TraverseStmt(body);
  if (atomics.found.empty())
    return refuse(refusals["no-atomic"], "{} has no atomic on the device's memory alone",
                  kernel.getNameAsString());
  Fences fences;
  fences.TraverseStmt(body);
  if (fences.found != nullptr)
    return refuse(refusals["orders-memory"], "line {} has {}",
                  source.lineOf(fences.found->getBeginLoc()), fences.what);
  Edits edits = source.include("heddle/aggregate.cuh");
  for (const CallExpr* call : atomics.found) {
    const auto range = source.rangeOf(call->getCallee()->getSourceRange());
    if (!range)
      return refuse(refusals["macro-in-the-way"], "the atomic in line {} comes from a macro",
                    source.lineOf(call->getBeginLoc()));
    edits.replace(*range, "heddle::" + operationOf(*call)->aggregated.str());
  }
  return std::vector{Proposal{"", std::move(edits)}};
}

const Rewrite room{
    .name = "aggregate",
    .summary = "let one lane change a word for all lanes of its warp that do",
    .ofKernel = true,
    .refusals = refusals,
    .propose = proposeAggregatedAtomics,
};

} // namespace heddle::rewrite::aggregate
