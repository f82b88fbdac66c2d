// SPDX-License-Identifier: Apache-2.0
#include "rewrite/Rewrite.h"

#include "rewrite/AlignToWarp.h"
#include "rewrite/LaunchBounds.h"
#include "rewrite/Predicate.h"
#include "rewrite/Reduce.h"
#include "rewrite/Regroup.h"
#include "rewrite/ScheduleIterations.h"
#include "rewrite/SplitBranch.h"
#include "rewrite/SplitLoop.h"
#include "rewrite/TreeVisitor.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace heddle::rewrite {
namespace {

constexpr std::array rewrites = {
    Rewrite{.name = "predicate",
            .summary = "turn a branch into straight code: choose operands, then run once",
            .propose = proposePredicated},
    Rewrite{.name = "reduce",
            .summary = "reduce a block's shared memory by shuffles, in the order of the loop",
            .propose = proposeReductions},
    Rewrite{.name = "schedule-iterations",
            .summary = "run one path of a loop's branch per turn, for all lanes that want it",
            .needsIndependence = true,
            .propose = proposeScheduledLoops},
    Rewrite{.name = "split-loop",
            .summary = "run a loop's independent statements in two loops, for fewer registers",
            .ofKernel = true,
            .propose = proposeSplitLoop},
    Rewrite{.name = "regroup",
            .summary = "swap the states of a loop between threads, so that equal ways share warps",
            .needsIndependence = true,
            .propose = proposeRegroupedLoop},
    Rewrite{.name = "align-to-warp",
            .summary = "number the threads of a block anew, so that those of one way share warps",
            .propose = proposeAlignedThreads},
    Rewrite{.name = "split-branch",
            .summary = "one kernel for each way of a kernel's branch, with that way's registers",
            .needsIndependence = true,
            .propose = proposeSplitBranch},
    Rewrite{.name = "launch-bounds",
            .summary = "tell the compiler the size of a kernel's blocks, and how many should fit",
            .ofKernel = true,
            .propose = proposeLaunchBounds},
};

class Kernels final : public TreeVisitor {
public:
  explicit Kernels(const Source& source) : source_(source) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->hasAttr<clang::CUDAGlobalAttr>() && function->doesThisDeclarationHaveABody() &&
        source_.isHere(function->getBeginLoc()))
      found.push_back(function);
    return true;
  }
  std::vector<const clang::FunctionDecl*> found;

private:
  const Source& source_;
};

std::vector<const clang::FunctionDecl*> kernelsOf(const Source& source) {
  Kernels kernels(source);
  kernels.TraverseDecl(source.ast().getTranslationUnitDecl());
  return kernels.found;
}

class Callees final : public TreeVisitor {
public:
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* body = nullptr;
    if (const clang::FunctionDecl* callee = call->getDirectCallee();
        callee != nullptr && callee->hasBody(body) && found.insert(body).second)
      TraverseStmt(body->getBody());
    return true;
  }
  std::set<const clang::FunctionDecl*> found;
};

} // namespace

std::span<const Rewrite> allRewrites() {
  return rewrites;
}

const Rewrite* findRewrite(std::string_view name) {
  const auto found = std::ranges::find(rewrites, name, &Rewrite::name);
  return found != rewrites.end() ? &*found : nullptr;
}

std::vector<Target> allTargets(const Source& source) {
  std::map<const clang::FunctionDecl*, const clang::FunctionDecl*> kernelOfFunction;
  std::vector<Target> targets;
  for (const clang::FunctionDecl* kernel : kernelsOf(source)) {
    targets.push_back({kernel, std::nullopt, {}});
    kernelOfFunction.try_emplace(kernel, kernel);
    Callees callees;
    callees.TraverseStmt(kernel->getBody());
    for (const clang::FunctionDecl* callee : callees.found)
      kernelOfFunction.try_emplace(callee, kernel);
  }
  for (BranchStatement& branch : allBranches(source))
    if (const auto found = kernelOfFunction.find(branch.function); found != kernelOfFunction.end())
      targets.push_back({found->second, std::move(branch), {}});
  return targets;
}

const clang::FunctionDecl* findKernel(const Source& source, std::string_view name) {
  const std::string_view plain = name.substr(0, name.find_first_of("<("));
  for (const clang::FunctionDecl* kernel : kernelsOf(source))
    if (kernel->getQualifiedNameAsString() == plain || kernel->getNameAsString() == plain)
      return kernel;
  return nullptr;
}

const clang::FunctionDecl* kernelAt(const Source& source, int line) {
  for (const clang::FunctionDecl* kernel : kernelsOf(source))
    if (source.lineOf(kernel->getBeginLoc()) <= line && line <= source.lineOf(kernel->getEndLoc()))
      return kernel;
  return nullptr;
}

const clang::FunctionDecl* kernelOf(const Source& source, const clang::FunctionDecl& function) {
  for (const clang::FunctionDecl* kernel : kernelsOf(source)) {
    if (kernel == &function)
      return kernel;
    Callees callees;
    callees.TraverseStmt(kernel->getBody());
    if (callees.found.contains(&function))
      return kernel;
  }
  return nullptr;
}

} // namespace heddle::rewrite
