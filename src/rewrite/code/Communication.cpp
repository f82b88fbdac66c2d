// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Communication.h"

#include "rewrite/code/CallFollower.h"
#include "rewrite/code/CommonRefusals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <array>
#include <optional>
#include <set>
#include <string>

namespace heddle::rewrite {
namespace {

using llvm::StringRef;

struct Talk {
  StringRef prefix;
  const RefusalKind& kind;
  const char* why;
};

/// By the beginning of a function's name, the first that fits.
constexpr std::array talks = {
    Talk{"__syncthreads", communication["barrier-inside"],
         "which not all threads would reach together"},
    Talk{"__barrier_sync", communication["barrier-inside"],
         "which not all threads would reach together"},
    Talk{"__nvvm_bar", communication["barrier-inside"],
         "which not all threads would reach together"},
    Talk{"__syncwarp", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__shfl", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__ballot", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__any", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__all", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__activemask", communication["sync-op-inside"],
         "whose lanes would no longer be the same"},
    Talk{"__match", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__reduce_", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__nvvm_shfl", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__nvvm_vote", communication["sync-op-inside"], "whose lanes would no longer meet"},
    Talk{"__threadfence", communication["fence-inside"], "which orders memory for other threads"},
    Talk{"__nvvm_membar", communication["fence-inside"], "which orders memory for other threads"},
    Talk{"printf", communication["prints-inside"],
         "and the order of what threads print would change"},
    Talk{"vprintf", communication["prints-inside"],
         "and the order of what threads print would change"},
    Talk{"malloc", communication["allocates-inside"],
         "and which thread gets which memory would change"},
    Talk{"__nanosleep", communication["fence-inside"], "which waits for other threads"},
};

bool readsClock(StringRef function) {
  return function == "clock" || function == "clock64" || function == "__globaltimer" ||
         function.starts_with("__nvvm_read_ptx_sreg_clock") ||
         function.starts_with("__nvvm_read_ptx_sreg_globaltimer");
}

const clang::VarDecl* sharedVariable(const clang::Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParenCasts();
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
      expression = element->getBase();
    else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
      expression = member->getBase();
    else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      expression = unary->getSubExpr();
    else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(expression);
             sum != nullptr && sum->isAdditiveOp())
      expression = sum->getLHS();
    else
      break;
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  return variable != nullptr && variable->hasAttr<clang::CUDASharedAttr>() ? variable : nullptr;
}

/// What is no reason to refuse.
enum class Allowed { Nothing, Shared, BlockMeets };

class Listener final : public CallFollower {
public:
  explicit Listener(const Source& source, Allowed allowed = Allowed::Nothing)
      : source_(source), allowed_(allowed) {}

  void listen(const clang::Stmt& code) {
    discard(const_cast<clang::Stmt*>(&code));
    TraverseStmt(const_cast<clang::Stmt*>(&code));
  }

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitCompoundStmt(clang::CompoundStmt* block) override {
    for (clang::Stmt* each : block->body())
      discard(each);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    discard(branch->getThen());
    discard(branch->getElse());
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    discard(loop->getBody());
    discard(loop->getInc());
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    discard(loop->getBody());
    return true;
  }
  bool VisitSwitchCase(clang::SwitchCase* label) override {
    discard(label->getSubStmt());
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr)
      return isDependent(call) || stop(communication["unknown-call"], call->getBeginLoc(),
                                       "calls a function through a pointer");
    const std::string name = callee->getNameAsString();
    for (const Talk& talk : talks)
      if (StringRef(name).starts_with(talk.prefix))
        return stop(talk.kind, call->getBeginLoc(), fmt::format("calls {}, {}", name, talk.why));
    if (readsClock(name))
      return stop(communication["clock-inside"], call->getBeginLoc(),
                  fmt::format("calls {}, which would time other work", name));
    if (isCooperative(callee))
      return stop(communication["sync-op-inside"], call->getBeginLoc(),
                  fmt::format("calls cooperative_groups' {}", name));
    if (StringRef(name).starts_with("atomic"))
      return visitAtomic(call, name);
    return follow(callee);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return follow(made->getConstructor());
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    return !operation->isAssignmentOp() || checkWritten(operation->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    return !operation->isIncrementDecrementOp() || checkWritten(operation->getSubExpr());
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const clang::QualType from = cast->getSubExpr()->getType();
    if (cast->getCastKind() == clang::CK_LValueToRValue && from.isVolatileQualified())
      return stop(communication["volatile-inside"], cast->getBeginLoc(), "reads volatile memory");
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* code) override {
    return stop(communication["inline-assembly"], code->getBeginLoc(), "has inline assembly");
  }
  bool VisitGotoStmt(clang::GotoStmt* jump) override {
    return stop(communication["goto-inside"], jump->getBeginLoc(), "has a goto");
  }

  /// An atomic whose result may be used.
  void allow(const clang::CallExpr& atomic) { discarded_.insert(&atomic); }

  std::optional<Refusal> refusal;
  bool sumsFloats = false;

private:
  void discard(clang::Stmt* statement) {
    if (const auto* value = llvm::dyn_cast_or_null<clang::Expr>(statement))
      discarded_.insert(value->IgnoreParenCasts()->IgnoreImplicit());
  }
  static bool isDependent(const clang::CallExpr* call) { return call->isTypeDependent(); }
  static bool isCooperative(const clang::FunctionDecl* callee) {
    return StringRef(callee->getQualifiedNameAsString()).starts_with("cooperative_groups::");
  }

  bool stop(const RefusalKind& kind, clang::SourceLocation where, const std::string& what) {
    const bool ofShared = kind.id == communication["shared-memory-inside"].id;
    const bool ofBlock = ofShared || kind.id == communication["barrier-inside"].id ||
                         kind.id == communication["fence-inside"].id;
    if ((ofShared && allowed_ == Allowed::Shared) || (ofBlock && allowed_ == Allowed::BlockMeets))
      return true;
    refusal = Refusal{kind, fmt::format("line {} {}", source_.lineOf(where), what)};
    return false;
  }

  bool visitAtomic(clang::CallExpr* call, const std::string& name) {
    if (!discarded_.contains(call))
      return stop(
          communication["atomic-result-used"], call->getBeginLoc(),
          fmt::format("uses the result of {}, which depends on the order of threads", name));
    sumsFloats = sumsFloats || call->getType()->isFloatingType();
    return true;
  }

  bool checkWritten(const clang::Expr* place) {
    if (place->getType().isVolatileQualified())
      return stop(communication["volatile-inside"], place->getBeginLoc(), "writes volatile memory");
    if (const clang::VarDecl* shared = sharedVariable(place))
      return stop(
          communication["shared-memory-inside"], place->getBeginLoc(),
          fmt::format("writes {}, which is shared by the block", shared->getNameAsString()));
    return true;
  }

  const Source& source_;
  Allowed allowed_;
  std::set<const clang::Expr*> discarded_;
};

Legal<void> refuseTalk(const Source& source, const clang::Stmt& code, Allowed allowed,
                       const std::vector<const clang::CallExpr*>& anyOrder = {}) {
  Listener listener(source, allowed);
  for (const clang::CallExpr* each : anyOrder)
    listener.allow(*each);
  listener.listen(code);
  if (listener.refusal)
    return tl::unexpected(*listener.refusal);
  return {};
}

} // namespace

Legal<void> refuseCommunication(const Source& source, const clang::Stmt& code) {
  return refuseTalk(source, code, Allowed::Nothing);
}

Legal<void> refuseCommunication(const Source& source, const clang::Stmt& code,
                                const std::vector<const clang::CallExpr*>& anyOrder) {
  return refuseTalk(source, code, Allowed::Nothing, anyOrder);
}

Legal<void> refuseWarpCommunication(const Source& source, const clang::Stmt& code) {
  return refuseTalk(source, code, Allowed::BlockMeets);
}

Legal<void> refuseAllButShared(const Source& source, const clang::Stmt& code) {
  return refuseTalk(source, code, Allowed::Shared);
}

bool sumsFloatsAtomically(const Source& source, const clang::Stmt& code) {
  Listener listener(source);
  listener.listen(code);
  return listener.sumsFloats;
}

} // namespace heddle::rewrite
