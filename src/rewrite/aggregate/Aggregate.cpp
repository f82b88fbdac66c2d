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

/// A counter's old values, too: those that the lanes would get if they came one after the other.
Edits withPlaces(const Source& source, Edits edits, const std::vector<const CallExpr*>& places) {
  for (const CallExpr* call : places)
    edits.replace(*source.rangeOf(call->getSourceRange()),
                  fmt::format("heddle::aggregate_next({})",
                              source.textOf(call->getArg(0)->getSourceRange())));
  return edits;
}

std::string formOf(const TallySize& size) {
  return size.copies > 1 ? fmt::format("{} ({} words, {} copies)", byBlock, size.words, size.copies)
                         : fmt::format("{} ({} words)", byBlock, size.words);
}

/// Of few words many lanes want the same, and wait for one another, which the estimate does not
/// see: as many copies as keep the work at the block's ends small.
std::vector<TallySize> sizesToTry(const std::string& form) {
  const auto words = numbersOf(form, "by block (", " words)");
  if (words && words->size() == 1 && words->front() > 0)
    return {{words->front(), 1}};
  return {{64, 8}, {1024, 1}};
}

} // namespace

Legal<std::vector<Proposal>> proposeAggregatedAtomics(const Source& source, const Target& target) {
  const clang::FunctionDecl& kernel = *target.kernel;
  const std::vector<const CallExpr*> atomics = findAtomics(*kernel.getBody());
  const std::vector<const CallExpr*> places = findPlaces(source, *kernel.getBody());
  if (atomics.empty() && places.empty())
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
  std::vector<Proposal> proposals;
  if (!atomics.empty())
    proposals.push_back({std::string(byWarp), *joined});
  if (!places.empty())
    proposals.push_back(
        {atomics.empty() ? std::string(byWarp) : fmt::format("{} (and places)", byWarp),
         withPlaces(source, std::move(*joined), places)});
  for (const TallySize& size : sizesToTry(target.form))
    if (auto kept = keepSumsInBlock(source, kernel, atomics, size))
      proposals.push_back({formOf(size), std::move(*kept)});
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
