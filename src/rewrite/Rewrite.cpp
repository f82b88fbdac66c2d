// SPDX-License-Identifier: Apache-2.0
#include "rewrite/Rewrite.h"

#include "rewrite/code/CallFollower.h"
#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <set>

namespace heddle::rewrite {
namespace {

constexpr std::array rewrites = {
#define HEDDLE_REWRITE(folder) &folder::room,
#include "rewrite/Rewrites.def"
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

} // namespace

std::span<const Rewrite* const> allRewrites() {
  return rewrites;
}

const Rewrite* findRewrite(std::string_view name) {
  const auto found =
      std::ranges::find(rewrites, name, [](const Rewrite* each) { return each->name; });
  return found != rewrites.end() ? *found : nullptr;
}

Legal<std::vector<Proposal>> ask(const Rewrite& rewrite, const Source& source,
                                 const Target& target) {
  auto proposals = rewrite.propose(source, target);
  [[maybe_unused]] const auto isIn = [&](std::span<const RefusalKind> table) {
    return std::ranges::find(table, proposals.error().kind->id, &RefusalKind::id) != table.end();
  };
  assert((proposals || isIn(rewrite.refusals) ||
          (rewrite.refusesCommunication && isIn(communication))) &&
         "docs/fix.md is made from the tables");
  return proposals;
}

std::vector<Target> allTargets(const Source& source) {
  std::map<const clang::FunctionDecl*, const clang::FunctionDecl*> kernelOfFunction;
  std::vector<Target> targets;
  for (const clang::FunctionDecl* kernel : kernelsOf(source)) {
    targets.push_back({kernel, std::nullopt, {}});
    kernelOfFunction.try_emplace(kernel, kernel);
    CallFollower callees;
    callees.TraverseStmt(kernel->getBody());
    for (const clang::FunctionDecl* callee : callees.followed())
      kernelOfFunction.try_emplace(callee, kernel);
  }
  for (BranchStatement& branch : allBranches(source))
    if (const auto found = kernelOfFunction.find(branch.function); found != kernelOfFunction.end())
      targets.push_back({found->second, std::move(branch), {}});
  return targets;
}

std::vector<std::string> symbolsOf(const clang::FunctionDecl& kernel) {
  clang::ASTNameGenerator names(kernel.getASTContext());
  const clang::FunctionTemplateDecl* pattern = kernel.getDescribedFunctionTemplate();
  if (pattern == nullptr)
    return {names.getName(&kernel)};
  std::vector<std::string> symbols;
  for (const clang::FunctionDecl* instance : pattern->specializations())
    if (instance->getTemplateSpecializationKind() != clang::TSK_ExplicitSpecialization)
      symbols.push_back(names.getName(instance));
  return symbols;
}

const clang::FunctionDecl* findKernel(const Source& source, std::string_view symbol) {
  for (const clang::FunctionDecl* kernel : kernelsOf(source)) {
    const std::vector<std::string> own = symbolsOf(*kernel);
    if (std::ranges::find(own, symbol) != own.end())
      return kernel;
  }
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
    CallFollower callees;
    callees.TraverseStmt(kernel->getBody());
    if (callees.followed().contains(&function))
      return kernel;
  }
  return nullptr;
}

} // namespace heddle::rewrite
