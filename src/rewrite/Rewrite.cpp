// SPDX-License-Identifier: Apache-2.0
#include "rewrite/Rewrite.h"

#include "rewrite/code/CallFollower.h"
#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/InlineCall.h"
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
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->hasAttr<clang::CUDAGlobalAttr>() && function->doesThisDeclarationHaveABody())
      found.push_back(function);
    return true;
  }
  std::vector<const clang::FunctionDecl*> found;
};

/// Of this file, of those that it includes, and of those that include it.
std::vector<const clang::FunctionDecl*> allKernels(const Source& source) {
  Kernels kernels;
  kernels.TraverseDecl(source.ast().getTranslationUnitDecl());
  return std::move(kernels.found);
}

std::vector<const clang::FunctionDecl*> kernelsOf(const Source& source) {
  std::vector<const clang::FunctionDecl*> kernels = allKernels(source);
  std::erase_if(kernels, [&](const clang::FunctionDecl* each) {
    return !source.isHere(each->getBeginLoc());
  });
  return kernels;
}

/// Branches of a kernel or function that lie in a part of the text, in the order of the source.
std::vector<BranchStatement> branchesIn(const Source& source, const clang::FunctionDecl& function,
                                        Range part) {
  std::vector<BranchStatement> branches = allBranches(source);
  std::erase_if(branches, [&](const BranchStatement& each) {
    const auto range = source.rangeOf(each.statement->getSourceRange());
    return each.function->getCanonicalDecl() != function.getCanonicalDecl() || !range ||
           !part.contains(*range);
  });
  return branches;
}

/// The same place in the kernel's own text, where the function around it stands in place of its
/// call.
Legal<std::vector<Proposal>> askInlined(const Rewrite& rewrite, const Source& source,
                                        const Target& target, const Refusal& refusal) {
  const clang::FunctionDecl& function = *target.branch->function;
  const auto cannot = [&](const std::string& why) {
    return refuse(*refusal.kind, "{}; it cannot be moved there: {}", refusal.reason, why);
  };
  const auto inlined = inlineCall(source, *target.kernel, function);
  if (!inlined)
    return cannot(inlined.error());
  const Source* const other = source.withTextKept(inlined->text); // all rewrites ask for the same
  if (other == nullptr)
    return cannot("it does not compile there");
  const std::vector<std::string> symbols = symbolsOf(*target.kernel);
  const clang::FunctionDecl* const kernel = findKernel(*other, symbols.front());
  const auto range = source.rangeOf(*function.getBody());
  if (kernel == nullptr || !range)
    return cannot("its text is not found again");
  const auto before = branchesIn(source, function, *range);
  auto now = branchesIn(*other, *kernel, inlined->body);
  const auto at = std::ranges::find(before, target.branch->statement, &BranchStatement::statement);
  if (at == before.end() || now.size() != before.size())
    return cannot("its text is not found again");
  const Target moved{kernel, std::move(now[std::size_t(at - before.begin())]), target.measured,
                     target.form};
  auto proposals = rewrite.propose(*other, moved);
  if (!proposals)
    return refuse(*proposals.error().kind, "{} (lines are counted with {} in place of its call)",
                  proposals.error().reason, function.getNameAsString());
  for (Proposal& each : *proposals)
    each.edits = Edits::between(source.text(), each.edits.apply(other->text()));
  return proposals;
}

/// Of the modelled GPU; one that is not known can do all.
bool hasWhatItNeeds(const Rewrite& rewrite, const machine::SmLimits& limits) {
  return limits.computeCapability == machine::ComputeCapability{} ||
         rewrite.needs <= limits.computeCapability;
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
  if (!proposals && proposals.error().is(common["not-in-kernel"]) && target.kernel != nullptr)
    proposals = askInlined(rewrite, source, target, Refusal(proposals.error()));
  if (proposals && !hasWhatItNeeds(rewrite, target.measured.limits))
    proposals = refuse(common["older-gpu"], "lanes of compute capability {} cannot do that",
                       target.measured.limits.computeCapability.text());
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
  for (const clang::FunctionDecl* kernel : allKernels(source)) {
    if (source.isHere(kernel->getBeginLoc()))
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
  for (const clang::FunctionDecl* kernel : allKernels(source)) {
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
