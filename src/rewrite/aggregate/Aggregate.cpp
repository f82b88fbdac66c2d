// SPDX-License-Identifier: Apache-2.0
#include "rewrite/aggregate/Aggregate.h"

#include "rewrite/aggregate/Atomics.h"
#include "rewrite/aggregate/BlockTally.h"
#include "rewrite/aggregate/Refusals.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/code/FormNumbers.h"

#include <clang/AST/ExprCXX.h>

#include <array>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;

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

constexpr std::string_view byWarp = "by warp", byBlock = "by block";

/// One lane of a warp does it for those of its word.
Legal<Edits> joinInWarp(const Source& source, const std::vector<const CallExpr*>& atomics) {
  Edits edits = source.include("heddle/aggregate.cuh");
  for (const CallExpr* call : atomics) {
    const auto range = source.rangeOf(call->getCallee()->getSourceRange());
    if (!range)
      return refuse(refusals["macro-in-the-way"], "the atomic in line {} comes from a macro",
                    source.lineOf(call->getBeginLoc()));
    edits.replace(*range, "heddle::" + aggregatedName(*call));
  }
  return edits;
}

std::vector<int> wordsToTry(const std::string& form) {
  if (const auto asked = numbersOf(form, "by block (", " words)");
      asked && asked->size() == 1 && asked->front() > 0)
    return *asked;
  return {64, 1024};
}

} // namespace

Legal<std::vector<Proposal>> proposeAggregatedAtomics(const Source& source, const Target& target) {
  const clang::FunctionDecl& kernel = *target.kernel;
  const std::vector<const CallExpr*> atomics = findAtomics(*kernel.getBody());
  if (atomics.empty())
    return refuse(refusals["no-atomic"], "{} has no atomic on the device's memory alone",
                  kernel.getNameAsString());
  Fences fences;
  fences.TraverseStmt(kernel.getBody());
  if (fences.found != nullptr)
    return refuse(refusals["orders-memory"], "line {} has {}",
                  source.lineOf(fences.found->getBeginLoc()), fences.what);
  auto joined = joinInWarp(source, atomics);
  if (!joined)
    return tl::unexpected(joined.error());
  std::vector<Proposal> proposals = {{std::string(byWarp), std::move(*joined)}};
  for (const int words : wordsToTry(target.form))
    if (auto kept = keepSumsInBlock(source, kernel, atomics, words))
      proposals.push_back({fmt::format("{} ({} words)", byBlock, words), std::move(*kept)});
  return proposals;
}

constexpr std::array forms = {byWarp, byBlock};

const Rewrite room{
    .name = "aggregate",
    .summary = "let one lane, or one block, change a word for all its threads that do",
    .forms = forms,
    .ofKernel = true,
    .needsIndependence = true,
    .needs = {7, 0},
    .refusals = refusals,
    .propose = proposeAggregatedAtomics,
};

} // namespace heddle::rewrite::aggregate
