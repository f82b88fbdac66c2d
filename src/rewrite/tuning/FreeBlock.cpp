// SPDX-License-Identifier: Apache-2.0
//
//   1. Every use of threadIdx, blockIdx, blockDim and gridDim, in the kernel and what it calls, is
//      part of one of the two expressions.
//   2. Nothing of a block is shared between its threads.
//   3. By axis: a guard stands around all that the kernel does.
#include "rewrite/tuning/FreeBlock.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/code/IndexSum.h"
#include "rewrite/tuning/Refusals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle::rewrite::tuning {
namespace {

using clang::Expr;
using clang::Stmt;
using llvm::StringRef;

constexpr std::array<StringRef, 4> builtins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

/// threadIdx.x % 32 and & 31: the lane, where blocks have one axis and whole warps.
bool isLane(const Expr* expression) {
  const auto numberIs = [](const Expr* number, std::uint64_t wanted) {
    const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(number->IgnoreParenCasts());
    return literal != nullptr && literal->getValue() == wanted;
  };
  const clang::BinaryOperator* rest = operatorOf(expression, clang::BO_Rem);
  const clang::BinaryOperator* bits = operatorOf(expression, clang::BO_And);
  return (rest && builtinOf(rest->getLHS()) == "threadIdx.x" && numberIs(rest->getRHS(), 32)) ||
         (bits && builtinOf(bits->getLHS()) == "threadIdx.x" && numberIs(bits->getRHS(), 31));
}

bool talksInWarp(StringRef name) {
  static constexpr std::array<StringRef, 9> prefixes = {
      "__syncwarp", "__shfl",   "__ballot",    "__any",       "__all",
      "__match",    "__reduce", "__nvvm_shfl", "__activemask"};
  return llvm::any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

bool waitsForBlock(StringRef name) {
  return name.starts_with("__syncthreads") || name.starts_with("__barrier_sync") ||
         name.starts_with("__nvvm_bar");
}

/// Steps 1 and 2.
class PlaceReader final : public CallFollower {
public:
  explicit PlaceReader(const Source& source) : source_(source) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    const auto* expression = llvm::dyn_cast<Expr>(statement);
    if (expression == nullptr)
      return inside();
    if (const auto sum = indexSumOf(expression))
      return llvm::all_of(sum->rest,
                          [&](const Expr* rest) { return TraverseStmt(const_cast<Expr*>(rest)); });
    if (isLane(expression)) {
      block.hasLanes = true;
      return true;
    }
    return axisOfProduct(expression, "gridDim", "blockDim") >= 0 || inside();
  }
  bool VisitOpaqueValueExpr(clang::OpaqueValueExpr* value) override {
    return TraverseStmt(value->getSourceExpr());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const clang::ValueDecl* declared = name->getDecl();
    if (declared->hasAttr<clang::CUDASharedAttr>())
      return stop(refusals["shared-memory"], *name, "uses shared memory");
    if (declared->getIdentifier() == nullptr || !llvm::is_contained(builtins, declared->getName()))
      return true;
    return stop(
        refusals["index-not-global"], *name,
        fmt::format("uses {} other than for the place in the grid", declared->getNameAsString()));
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!variable->hasAttr<clang::CUDASharedAttr>())
      return true;
    refusal =
        Refusal(refusals["shared-memory"], fmt::format("line {} declares shared memory",
                                                       source_.lineOf(variable->getLocation())));
    return false;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr)
      return CallFollower::VisitCallExpr(call);
    const StringRef name = callee->getName();
    if (waitsForBlock(name))
      return stop(refusals["shared-memory"], *call, fmt::format("calls {}", name.str()));
    const bool ownLane =
        name == "lane_id" && callee->getQualifiedNameAsString() == "heddle::detail::lane_id";
    block.hasLanes |= ownLane || talksInWarp(name);
    return ownLane || CallFollower::VisitCallExpr(call);
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* assembly) override {
    const StringRef text = assembly->getAsmString()->getString();
    for (const StringRef word : {"%tid", "%ntid", "%ctaid", "%nctaid", "%warpid", "bar.", "shared"})
      if (text.contains(word)) {
        refusal = Refusal(refusals["inline-assembly"],
                          fmt::format("line {} has inline assembly with {}",
                                      source_.lineOf(assembly->getAsmLoc()), word.str()));
        return false;
      }
    return true;
  }

  FreeBlock block;
  std::optional<Refusal> refusal;

private:
  bool stop(const RefusalKind& kind, const Expr& where, const std::string& what) {
    refusal = Refusal(kind, fmt::format("line {} {}", source_.lineOf(where.getBeginLoc()), what));
    return false;
  }

  const Source& source_;
};

/// The variables that hold the place in the grid, by axis.
using IndexVariables = std::array<const clang::VarDecl*, 3>;

void noteIndex(const clang::DeclStmt& declares, IndexVariables& variables) {
  for (const clang::Decl* each : declares.decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    if (variable == nullptr || !variable->hasInit())
      continue;
    const auto sum = indexSumOf(variable->getInit());
    if (sum && sum->rest.empty())
      variables[std::size_t(sum->axis)] = variable;
  }
}

bool names(const Expr* expression, const clang::VarDecl* variable) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  return variable != nullptr && name != nullptr && name->getDecl() == variable;
}

/// Whether one of the conditions that `joint` joins says that the variable is on that side.
bool saysOf(const Expr* condition, const clang::VarDecl* variable, bool below,
            clang::BinaryOperatorKind joint) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenCasts());
  if (binary == nullptr)
    return false;
  if (binary->getOpcode() == joint)
    return saysOf(binary->getLHS(), variable, below, joint) ||
           saysOf(binary->getRHS(), variable, below, joint);
  const bool less = binary->getOpcode() == clang::BO_LT || binary->getOpcode() == clang::BO_LE;
  const bool more = binary->getOpcode() == clang::BO_GT || binary->getOpcode() == clang::BO_GE;
  return (less && names(below ? binary->getLHS() : binary->getRHS(), variable)) ||
         (more && names(below ? binary->getRHS() : binary->getLHS(), variable));
}

bool isReturn(const Stmt* statement) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return block->size() == 1 && isReturn(block->body_front());
  return llvm::isa<clang::ReturnStmt>(statement);
}

/// Step 3: what the statements of a body let through, in their order.
class GuardReader {
public:
  void read(const Stmt& body) {
    for (const Stmt* statement : body.children())
      if (statement != nullptr && !readOne(*statement))
        return;
    done_ = true;
  }

  /// Nothing happened outside the guards of an axis.
  std::array<bool, 3> guarded() const {
    std::array<bool, 3> result = returns_;
    for (std::size_t axis = 0; axis < 3; ++axis)
      result[axis] = result[axis] || (done_ && inside_[axis]);
    return result;
  }

private:
  /// False: something else, after which no guard helps any more.
  bool readOne(const Stmt& statement) {
    if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      noteIndex(*declares, variables_);
      return true;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement))
      return branch->getElse() == nullptr && readBranch(*branch);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement))
      return readLoop(*loop);
    return false;
  }
  bool readBranch(const clang::IfStmt& branch) {
    const bool leaves = isReturn(branch.getThen());
    bool any = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool says = saysOf(branch.getCond(), variables_[axis], !leaves,
                               leaves ? clang::BO_LOr : clang::BO_LAnd);
      (leaves ? returns_ : inside_)[axis] |= says;
      any |= says;
    }
    return any;
  }
  bool readLoop(const clang::ForStmt& loop) {
    IndexVariables inside = variables_;
    if (const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit()))
      noteIndex(*declares, inside);
    bool any = false;
    for (std::size_t axis = 0; loop.getCond() != nullptr && axis < 3; ++axis) {
      const bool says = saysOf(loop.getCond(), inside[axis], true, clang::BO_LAnd);
      inside_[axis] |= says;
      any |= says;
    }
    return any;
  }

  IndexVariables variables_ = {};
  std::array<bool, 3> returns_ = {}, inside_ = {};
  bool done_ = false;
};

} // namespace

Legal<FreeBlock> findFreeBlock(const Source& source, const clang::FunctionDecl& kernel) {
  PlaceReader reader(source);
  reader.TraverseStmt(kernel.getBody());
  if (reader.refusal)
    return tl::unexpected(*reader.refusal);
  GuardReader guards;
  guards.read(*kernel.getBody());
  reader.block.guarded = guards.guarded();
  return reader.block;
}

} // namespace heddle::rewrite::tuning
