// SPDX-License-Identifier: Apache-2.0
//
//   1. Threads say nothing to each other but by shared memory and __syncthreads().
//   2. CUDA's names, in the kernel and what it calls.
//   3. Barriers: all blocks come to each of them equally often.
#include "rewrite/reshape/BlockUses.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/Builtins.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/code/Communication.h"
#include "rewrite/reshape/Refusals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <array>
#include <map>
#include <optional>
#include <utility>

namespace heddle::rewrite::reshape {
namespace {

using clang::Expr;
using clang::Stmt;
using llvm::StringRef;

constexpr std::array<StringRef, 4> builtins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

/// Variables whose value is only a step: `i += stride`, or `for (...; ...; i = i + stride)`.
class Strides final : public TreeVisitor {
public:
  bool VisitForStmt(clang::ForStmt* loop) override {
    steps_.insert(loop->getInc());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (operation->getOpcode() == clang::BO_AddAssign)
      steps_.insert(operation->getRHS());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->hasInit() && variable->hasLocalStorage())
      initial_[variable->getInit()] = variable;
    return true;
  }
  bool aroundStatement(Stmt* statement, Walk inside) override {
    if (initial_.contains(statement)) {
      const clang::VarDecl* outer = std::exchange(declared_, initial_.at(statement));
      const bool goOn = inside();
      declared_ = outer;
      return goOn;
    }
    const bool isStep = steps_.contains(statement);
    depth_ += isStep;
    const bool goOn = enter(*statement) && inside();
    depth_ -= isStep;
    return goOn;
  }
  /// Nothing where the size of the grid is used for strides only.
  const Expr* otherUse() const {
    for (const auto& [use, variable] : uses_)
      if (variable == nullptr || usedOtherwise_.contains(variable))
        return use;
    return nullptr;
  }

private:
  bool enter(Stmt& statement) {
    const auto* expression = llvm::dyn_cast<Expr>(&statement);
    if (depth_ > 0 || expression == nullptr)
      return true;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
      usedOtherwise_.insert(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
    else if (llvm::isa<clang::PseudoObjectExpr>(expression) && builtinOf(expression) == "gridDim.x")
      uses_.emplace_back(expression, declared_);
    return true;
  }

  std::set<const Stmt*> steps_;
  std::map<const Stmt*, const clang::VarDecl*> initial_;
  const clang::VarDecl* declared_ = nullptr;
  int depth_ = 0;
  std::vector<std::pair<const Expr*, const clang::VarDecl*>> uses_;
  std::set<const clang::VarDecl*> usedOtherwise_;
};

/// Step 2.
class UseReader final : public CallFollower {
public:
  explicit UseReader(const Source& source) : source_(source) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    const auto* expression = llvm::dyn_cast<clang::PseudoObjectExpr>(statement);
    const std::string name = expression != nullptr ? builtinOf(expression) : "";
    return name.empty() ? inside() : addName(*expression, name);
  }
  bool VisitOpaqueValueExpr(clang::OpaqueValueExpr* value) override {
    return TraverseStmt(value->getSourceExpr());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const clang::ValueDecl* declared = name->getDecl();
    if (declared->hasAttr<clang::CUDASharedAttr>() && depth_ == 0)
      uses.sharedNames.push_back(name);
    if (declared->getIdentifier() == nullptr)
      return true;
    if (declared->getName() == "warpSize")
      return stop(communication["sync-op-inside"], name->getLocation(), "uses warpSize");
    return !llvm::is_contained(builtins, declared->getName()) ||
           stop(refusals["block-index-in-function"], name->getLocation(),
                fmt::format("uses {} as a whole", declared->getNameAsString()));
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!variable->hasAttr<clang::CUDASharedAttr>())
      return true;
    const std::string name = variable->getNameAsString();
    if (variable->hasExternalStorage())
      return stop(refusals["dynamic-shared"], variable->getLocation(),
                  fmt::format("declares {}, whose size the launch says", name));
    if (depth_ > 0 || variable->hasAttr<clang::AlignedAttr>())
      return stop(refusals["shared-unfit"], variable->getLocation(),
                  fmt::format("declares {}, {}", name,
                              depth_ > 0 ? "outside the kernel" : "which is aligned by hand"));
    uses.shared.push_back(variable);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override {
    hasLambda_ = true;
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* object) override {
    return enter(object->getConstructor());
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const StringRef name =
        callee != nullptr && callee->getIdentifier() != nullptr ? callee->getName() : StringRef();
    if (name == "__syncthreads") {
      barriers.push_back(call);
      uses.hasBarrier = true;
      return depth_ == 0 ||
             stop(refusals["varying-barrier"], call->getBeginLoc(), "has a barrier in a function");
    }
    if (name.starts_with("__syncthreads") || name.starts_with("__barrier_sync") ||
        name.starts_with("__nvvm_bar"))
      return stop(refusals["varying-barrier"], call->getBeginLoc(),
                  fmt::format("calls {}, by which the block votes or counts", name.str()));
    return enter(callee);
  }

  /// Step 3, of the body that was read.
  bool checkBarriers(const Stmt& body) {
    const BlockValues values(body, nullptr, Returned::Ignored, AlikeIn::Grid);
    for (const clang::CallExpr* each : barriers)
      if (hasLambda_ || !values.isReachedTogether(*each))
        return stop(refusals["varying-barrier"], each->getBeginLoc(),
                    "has a barrier that blocks may reach more or less often than others");
    return true;
  }

  BlockUses uses;
  std::vector<const clang::CallExpr*> barriers;
  std::optional<Refusal> refusal;

private:
  bool enter(const clang::FunctionDecl* callee) {
    ++depth_;
    const bool goOn = follow(callee);
    --depth_;
    return goOn;
  }
  bool addName(const Expr& place, const std::string& name) {
    uses.names.insert(name);
    uses.inFunctions = uses.inFunctions || depth_ > 0;
    if (depth_ == 0)
      uses.places.push_back(&place);
    const bool isOfBlock = name == "blockIdx.x" || name == "gridDim.x";
    return depth_ == 0 || !isOfBlock ||
           stop(refusals["block-index-in-function"], place.getBeginLoc(),
                fmt::format("uses {} in a function", name));
  }
  bool stop(const RefusalKind& kind, clang::SourceLocation where, const std::string& what) {
    if (!refusal)
      refusal = Refusal(kind, fmt::format("line {} {}", source_.lineOf(where), what));
    return false;
  }

  const Source& source_;
  int depth_ = 0;
  bool hasLambda_ = false;
};

/// A dependent call in a template leads nowhere; in its instances it does.
Legal<BlockUses> readOne(const Source& source, const clang::FunctionDecl& kernel) {
  if (auto quiet = refuseWarpCommunication(source, *kernel.getBody()); !quiet)
    return tl::unexpected(quiet.error());
  UseReader reader(source);
  if (reader.TraverseStmt(kernel.getBody()))
    reader.checkBarriers(*kernel.getBody());
  if (reader.refusal)
    return tl::unexpected(*reader.refusal);
  Strides strides;
  strides.TraverseStmt(kernel.getBody());
  if (const Expr* use = strides.otherUse())
    return refuse(refusals["grid-size-used"], "line {} uses {} other than as a stride",
                  source.lineOf(use->getBeginLoc()), builtinOf(use));
  return std::move(reader.uses);
}

} // namespace

std::vector<const clang::FunctionDecl*> instancesOf(const clang::FunctionDecl& kernel) {
  const clang::FunctionTemplateDecl* pattern = kernel.getDescribedFunctionTemplate();
  if (pattern == nullptr)
    return {&kernel};
  std::vector<const clang::FunctionDecl*> instances;
  for (const clang::FunctionDecl* each : pattern->specializations())
    if (each->hasBody())
      instances.push_back(each->getDefinition());
  return instances;
}

Legal<BlockUses> findBlockUses(const Source& source, const clang::FunctionDecl& kernel) {
  auto written = readOne(source, kernel);
  for (const clang::FunctionDecl* each : instancesOf(kernel)) {
    if (!written || each == &kernel)
      break;
    const auto made = readOne(source, *each);
    if (!made)
      return made;
    written->names.insert(made->names.begin(), made->names.end());
    written->hasBarrier = written->hasBarrier || made->hasBarrier;
    written->inFunctions = written->inFunctions || made->inFunctions;
  }
  return written;
}

} // namespace heddle::rewrite::reshape
