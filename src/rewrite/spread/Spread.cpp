// SPDX-License-Identifier: Apache-2.0
//
//   1. The branch lets one thread of the block or of each warp in, which is lane 0 of its warp.
//   2. Its statements: variables that all lanes may compute, loops whose items they may share
//      (rows/), and the rest, which only the one thread may run. The loops come before that.
//   3. The edits: who is let in, a call for each loop, an inner branch around the rest.
#include "rewrite/spread/Spread.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/rows/RowCall.h"
#include "rewrite/spread/OneThread.h"
#include "rewrite/spread/Refusals.h"
#include "support/LaneMask.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite::spread {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

class Spreader {
public:
  Spreader(const Source& source, const Target& target) : source_(source), target_(target) {}

  Legal<Proposal> spread();

private:
  Legal<void> findBranch();
  Legal<void> checkShape() const;
  Legal<void> findParts();
  Legal<void> takeLoop(const Stmt& loop);
  Legal<void> checkBounds(const RowLoop& loop) const;
  bool isLight(const Stmt& statement);
  bool readsAlike(const Stmt& code) const;
  bool asksAlike(const Expr& condition) const;
  std::string firstLine() const;
  void letIn(Edits& edits, Range test, Range then) const;
  void guardRest(Edits& edits) const;
  int lineOf(const Stmt& statement) const { return source_.lineOf(statement.getBeginLoc()); }

  const Source& source_;
  const Target& target_;
  const clang::IfStmt* branch_ = nullptr;
  const Stmt* function_ = nullptr; ///< its body
  OneThread thread_;
  std::optional<BlockValues> values_;
  std::set<const VarDecl*> alike_; ///< of the branch; all lanes compute the same
  std::set<const VarDecl*> own_;   ///< that the branch declares in front of its loops
  std::vector<SharedLoop> loops_;
  std::vector<const Stmt*> rest_;
};

/// Step 1: the branch itself, or the innermost one around a loop.
Legal<void> Spreader::findBranch() {
  const Placed& placed = target_.branch->instances.front();
  function_ = placed.around.empty() ? nullptr : placed.around.back();
  std::vector<const Stmt*> chain = {placed.statement};
  chain.insert(chain.end(), placed.around.begin(), placed.around.end());
  for (const Stmt* each : chain) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(each);
    const auto thread = branch != nullptr && !branch->hasInitStorage() && !branch->hasVarStorage()
                            ? readOneThread(source_, *branch->getCond(), *function_)
                            : std::nullopt;
    if (!thread)
      continue;
    branch_ = branch;
    thread_ = *thread;
    break;
  }
  if (branch_ == nullptr)
    return refuse(refusals["not-one-thread"], "the branch does not let in one thread of a warp");
  if (!target_.branch->function->hasAttr<clang::CUDAGlobalAttr>())
    return refuse(refusals["not-in-kernel"],
                  "the branch is in {}, and a kernel must hold it itself",
                  target_.branch->function->getNameAsString());
  if (branch_->getElse() != nullptr)
    return refuse(refusals["has-else"], "the branch in line {} has an else", lineOf(*branch_));
  values_.emplace(*function_, nullptr, Returned::Ignored);
  if (!asksAlike(*branch_->getCond()))
    return refuse(refusals["bounds-of-thread"],
                  "the condition in line {} reads or does something by the thread's own number",
                  lineOf(*branch_));
  return {};
}

/// The thread must be lane 0 of its warp.
Legal<void> Spreader::checkShape() const {
  const auto [x, y, z] = target_.measured.block;
  if (x == 0)
    return refuse(refusals["block-size-unknown"],
                  "launches have blocks of different sizes, or none was seen");
  const bool oneRow = (y <= 1 || (thread_.ofFirstRow && !thread_.ofWarp)) && z <= 1;
  if (oneRow || x % warpSize == 0)
    return {};
  return refuse(refusals["block-rows"], "blocks have {} x {} rows of {} threads", y, z, x);
}

/// Whether all lanes read the same memory there as lane 0 does, or none at all.
bool Spreader::readsAlike(const Stmt& code) const {
  const Effects effects = effectsOf(code);
  const ThreadIndexUses uses = findThreadIndex(code);
  const bool reads = effects.loads || std::ranges::any_of(effects.reads, [](const VarDecl* each) {
                       return each->hasAttr<clang::CUDASharedAttr>();
                     });
  if (!reads)
    return true;
  return uses.names.empty() && uses.calls.empty() &&
         std::ranges::all_of(effects.reads, [&](const VarDecl* each) {
           return !each->hasLocalStorage() || alike_.contains(each) || values_->isUniform(*each) ||
                  effects.declares.contains(each);
         });
}

/// Whether other lanes may ask what stands beside the test for the thread.
bool Spreader::asksAlike(const Expr& condition) const {
  const Expr* bare = condition.IgnoreParenImpCasts();
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (both != nullptr && both->getOpcode() == clang::BO_LAnd)
    return asksAlike(*both->getLHS()) && asksAlike(*both->getRHS());
  return bare == thread_.test || (effectsOf(*bare).pure() && readsAlike(*bare));
}

/// All lanes may run it: it computes variables of the branch.
bool Spreader::isLight(const Stmt& statement) {
  const auto* value = llvm::dyn_cast<Expr>(&statement);
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(&statement);
  if (value == nullptr && declares == nullptr)
    return false;
  const Effects effects = effectsOf(statement);
  const bool ofBranch = std::ranges::all_of(effects.changes, [&](const VarDecl* each) {
    return own_.contains(each) || effects.declares.contains(each);
  });
  const bool isLocal = std::ranges::all_of(effects.declares, [](const VarDecl* each) {
    return each->hasLocalStorage() && each->getType().isTrivialType(each->getASTContext());
  });
  if (effects.stores || !ofBranch || !isLocal || !effects.exposed.empty() || !readsAlike(statement))
    return false;
  own_.insert(effects.declares.begin(), effects.declares.end());
  const bool same = std::ranges::all_of(effects.reads, [&](const VarDecl* each) {
    return !each->hasLocalStorage() || alike_.contains(each) || values_->isUniform(*each) ||
           effects.declares.contains(each);
  });
  const bool asksThread = !findThreadIndex(statement).names.empty();
  for (const VarDecl* each : effects.changes)
    alike_.erase(each);
  if (same && !asksThread && declares != nullptr)
    alike_.insert(effects.declares.begin(), effects.declares.end());
  return true;
}

Legal<void> Spreader::checkBounds(const RowLoop& loop) const {
  for (const Expr* bound : {loop.begin, loop.end})
    if (bound != nullptr && !readsAlike(*bound))
      return refuse(refusals["bounds-of-thread"],
                    "the loop in line {} reads its bounds by the thread's own number",
                    lineOf(*loop.loop));
  return {};
}

Legal<void> Spreader::takeLoop(const Stmt& loop) {
  const auto placed =
      rewrite::findBranch(source_, lineOf(loop), source_.columnOf(loop.getBeginLoc()));
  if (!placed)
    return refuse(refusals["macro-in-the-way"], "the loop in line {} comes from a macro",
                  lineOf(loop));
  auto shared = findSharedLoop(source_, *placed);
  if (!shared)
    return tl::unexpected(shared.error());
  if (auto legal = checkBounds(shared->loop); !legal)
    return legal;
  for (const Accumulator& each : shared->body.accumulators)
    for (const VarDecl* variable : each.variables)
      alike_.erase(variable); // lane 0 alone has the result
  loops_.push_back(*std::move(shared));
  return {};
}

/// Step 2.
Legal<void> Spreader::findParts() {
  const Stmt* then = branch_->getThen();
  std::vector<const Stmt*> statements = {then};
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then))
    statements.assign(block->body_begin(), block->body_end());
  std::optional<Refusal> why;
  std::size_t done = 0; // statements up to the last loop that is spread
  bool onlyLight = true;
  for (std::size_t i = 0; i < statements.size() && !why && onlyLight; ++i) {
    const Stmt* inner = statements[i];
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(inner))
      inner = attributed->getSubStmt();
    if (!isLoop(*inner)) {
      onlyLight = isLight(*inner);
      continue;
    }
    if (auto taken = takeLoop(*inner); !taken)
      why = taken.error();
    else
      done = i + 1;
  }
  if (why && loops_.empty())
    return tl::unexpected(*why);
  if (!loops_.empty()) {
    rest_.assign(statements.begin() + std::ptrdiff_t(done), statements.end());
    return {};
  }
  const auto later =
      std::ranges::find_if(statements, [](const Stmt* each) { return isLoop(*each); });
  if (later == statements.end())
    return refuse(refusals["not-one-thread"], "the branch in line {} holds no loop of its own",
                  lineOf(*branch_));
  return refuse(refusals["code-before"],
                "line {} has a loop behind code that only one thread may run", lineOf(**later));
}

/// That the thread is lane 0, as the run has shown.
std::string Spreader::firstLine() const {
  const auto [x, y, z] = target_.measured.block;
  if (thread_.ofFirstRow && !thread_.ofWarp && z <= 1 && x % warpSize != 0)
    return "assert(blockDim.z == 1);";
  return x % warpSize == 0 ? "assert(blockDim.x % 32 == 0);"
                           : "assert(blockDim.y == 1 && blockDim.z == 1);";
}

/// The first warp, or every warp.
void Spreader::letIn(Edits& edits, Range test, Range then) const {
  const std::string number = source_.textOf(thread_.number->getSourceRange());
  if (!thread_.ofWarp)
    return edits.replace(test, number + " < 32");
  const bool isAll = branch_->getCond()->IgnoreParenImpCasts() == thread_.test;
  const auto whole = source_.rangeOf(*branch_);
  if (isAll && whole)
    edits.remove({whole->begin, then.begin});
  else
    edits.replace(test, "true");
}

/// A brace around the rest; declarations of the loops' front stay outside.
void Spreader::guardRest(Edits& edits) const {
  if (rest_.empty())
    return;
  const auto first = source_.rangeOf(*rest_.front()), last = source_.rangeOf(*rest_.back());
  const std::string indent = source_.indentAt(first->begin), unit = source_.indentUnit();
  const std::string test = source_.textOf(thread_.test->getSourceRange());
  const Range all{first->begin, last->end};
  const bool isOne = rest_.size() == 1 && !llvm::isa<clang::IfStmt>(rest_.front());
  const std::string inside = indented(indent + source_.textOf(all), indent + unit);
  edits.replace(all, fmt::format("if ({}){}\n{}{}", test, isOne ? "" : " {", inside,
                                 isOne ? "" : "\n" + indent + "}"));
}

/// Step 3.
Legal<Proposal> Spreader::spread() {
  if (auto legal = findBranch(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = checkShape(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = findParts(); !legal)
    return tl::unexpected(legal.error());
  const auto test = source_.rangeOf(thread_.test->getSourceRange());
  const auto then = source_.rangeOf(*branch_->getThen());
  const bool isText = test && then && source_.rangeOf(thread_.number->getSourceRange()) &&
                      std::ranges::all_of(rest_, [&](const Stmt* each) {
                        return source_.rangeOf(*each).has_value();
                      });
  if (!isText)
    return refuse(refusals["macro-in-the-way"], "the branch in line {} has code from a macro",
                  lineOf(*branch_));
  Proposal proposal;
  proposal.edits = source_.include("cassert");
  letIn(proposal.edits, *test, *then);
  const bool isBlock = llvm::isa<clang::CompoundStmt>(branch_->getThen());
  if (isBlock)
    proposal.edits.insert(then->begin + 1, "\n" + source_.indentAt(then->begin) +
                                               source_.indentUnit() + firstLine());
  proposal.keepsOrder = true;
  for (const SharedLoop& each : loops_) {
    proposal.edits.addOnce(callEdits(source_, each, callText(source_, each, "heddle::spread", "")));
    proposal.reorders = proposal.reorders || each.body.rounds;
    proposal.keepsOrder = proposal.keepsOrder && !each.body.stores;
  }
  guardRest(proposal.edits);
  return proposal;
}

} // namespace

Legal<std::vector<Proposal>> proposeSpread(const Source& source, const Target& target) {
  auto proposal = Spreader(source, target).spread();
  if (!proposal)
    return tl::unexpected(proposal.error());
  return std::vector<Proposal>{*std::move(proposal)};
}

const Rewrite room{
    .name = "spread",
    .summary = "all lanes of a warp for a loop that one thread runs alone",
    .needsIndependence = true,
    .needs = {3, 0},
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeSpread,
};

} // namespace heddle::rewrite::spread
