// SPDX-License-Identifier: Apache-2.0
//
//   1. Statements one after the other: for all lanes where that changes nothing but variables of
//   the
//      branch, else for the one lane, as a loop is that cannot be shared.
//   2. Shared loops begin and end with all lanes waiting for each other. Between two of them no
//   lane
//      may read what the one lane writes.
//   3. What stands behind the last loop is for one.
//   4. A block in between, or a branch that all lanes decide alike, is cut the same way.
#include "rewrite/spread/Pieces.h"

#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/rows/RowCall.h"
#include "rewrite/rows/ScanLoop.h"
#include "rewrite/spread/Refusals.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace heddle::rewrite::spread {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

bool jumps(const Stmt& code) {
  class Finder final : public TreeVisitor {
  public:
    bool VisitGotoStmt(clang::GotoStmt*) override { return !(found = true); }
    bool found = false;
  } finder;
  finder.TraverseStmt(const_cast<Stmt*>(&code));
  return finder.found || !findExits(code).empty();
}

class Cutter {
public:
  Cutter(const Source& source, const Stmt& function, const WarpValues& values, Rows rows)
      : source_(source), values_(values), rows_(rows), uses_(function) {}

  Legal<std::vector<Piece>> cut(const std::vector<const Stmt*>& statements);

private:
  bool take(const Stmt& statement);
  bool takeAll(const std::vector<const Stmt*>& statements);
  bool takeInner(const Stmt& statement);
  bool isAlikeBranch(const clang::IfStmt& branch) const;
  void add(Piece piece) {
    piece.scope = scope_;
    pieces_.push_back(std::move(piece));
  }
  bool isLight(const Stmt& statement);
  bool isForOne(const Stmt& statement);
  Legal<void> takeLoop(const Stmt& loop);
  Legal<void> checkBounds(const RowLoop& loop) const;
  void ofFirstLane(RowLoop& loop) const;
  bool readsWritten(const Stmt& code) const;
  bool isSame(const VarDecl& variable, const Effects& effects) const {
    return !variable.hasLocalStorage() || state_.alike.contains(&variable) ||
           values_.isAlike(variable) || effects.declares.contains(&variable);
  }
  int lineOf(const Stmt& statement) const { return source_.lineOf(statement.getBeginLoc()); }

  const Source& source_;
  const WarpValues& values_;
  Rows rows_;
  MemoryUses uses_;
  /// What is known behind the statements that were taken.
  struct State {
    std::set<const VarDecl*> alike; ///< of the branch; all lanes compute the same
    std::set<const VarDecl*> own;   ///< that the branch declares in front of its loops
    std::vector<const Stmt*> ofAll; ///< since the lanes waited for each other
    std::vector<const Stmt*> ofOne; ///< the same
  } state_;
  const Stmt* scope_ = nullptr;
  bool stopped_ = false;       ///< behind the last piece all is for one
  std::optional<Refusal> why_; ///< the first loop is none that can be shared
  std::vector<Piece> pieces_;
};

/// All lanes may run it: it computes variables of the branch.
bool Cutter::isLight(const Stmt& statement) {
  const auto* value = llvm::dyn_cast<Expr>(&statement);
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(&statement);
  if (value == nullptr && declares == nullptr)
    return false;
  const Effects effects = effectsOf(statement);
  // A pointer to what the block shares is the same for all lanes.
  const auto isPointedTo = [&](const VarDecl* each) {
    return declares != nullptr && !each->hasLocalStorage() && effects.exposed.contains(each);
  };
  const bool ofBranch = std::ranges::all_of(effects.changes, [&](const VarDecl* each) {
    return state_.own.contains(each) || effects.declares.contains(each) || isPointedTo(each);
  });
  const bool isAlike = std::ranges::all_of(effects.exposed, isPointedTo);
  const bool isLocal = std::ranges::all_of(effects.declares, [](const VarDecl* each) {
    return each->hasLocalStorage() && each->getType().isTrivialType(each->getASTContext());
  });
  if (effects.stores || !uses_.of(statement).written.empty() || !ofBranch || !isLocal ||
      !readsAlike(statement, values_, state_.alike) || readsWritten(statement))
    return false;
  state_.own.insert(effects.declares.begin(), effects.declares.end());
  const bool same = std::ranges::all_of(
      effects.reads, [&](const VarDecl* each) { return isSame(*each, effects); });
  const bool asksThread = !values_.laneNames(statement).empty();
  for (const VarDecl* each : effects.changes)
    state_.alike.erase(each);
  if (same && !asksThread && declares != nullptr && isAlike)
    state_.alike.insert(effects.declares.begin(), effects.declares.end());
  return true;
}

/// Step 2: what is for one may have been written.
bool Cutter::readsWritten(const Stmt& code) const {
  const MemoryUse read = uses_.of(code);
  return std::ranges::any_of(state_.ofOne, [&](const Stmt* each) {
    return findConflict(read, uses_.of(*each)) != nullptr;
  });
}

/// The one lane may do it, and all come back together.
bool Cutter::isForOne(const Stmt& statement) {
  if (llvm::isa<clang::DeclStmt>(statement) || jumps(statement) || !source_.rangeOf(statement))
    return false;
  const MemoryUse use = uses_.of(statement);
  const bool isRead = std::ranges::any_of(state_.ofAll, [&](const Stmt* each) {
    return findConflict(uses_.of(*each), use) != nullptr;
  });
  const Effects effects = effectsOf(statement);
  const bool isKnown = !effects.stores || !use.written.empty();
  if (isRead || !isKnown)
    return false;
  for (const VarDecl* each : effects.changes)
    state_.alike.erase(each);
  return true;
}

Legal<void> Cutter::checkBounds(const RowLoop& loop) const {
  for (const Expr* bound : {loop.begin, loop.end})
    if (bound != nullptr && !readsAlike(*bound, values_, state_.alike))
      return refuse(refusals["bounds-of-thread"],
                    "the loop in line {} reads its bounds by the thread's own number",
                    lineOf(*loop.loop));
  // The end alone is a place, of which only the condition reads.
  for (const Expr* bound : {loop.begin, headerOf(*loop.loop).condition})
    if (bound != nullptr && readsWritten(*bound))
      return refuse(refusals["bounds-of-thread"],
                    "the loop in line {} has bounds that only the one thread has written",
                    lineOf(*loop.loop));
  return {};
}

/// What other lanes have not, or may have read at another time.
void Cutter::ofFirstLane(RowLoop& loop) const {
  const auto fetched = [](const std::string& text) {
    return "heddle::of_first_lane(" + text + ")";
  };
  if (loop.begin == nullptr || !values_.ofBlock().isUniform(*loop.begin))
    loop.beginText = fetched(loop.beginText);
  if (!values_.ofBlock().isUniform(*loop.end))
    loop.endText = fetched(loop.endText);
}

Legal<void> Cutter::takeLoop(const Stmt& loop) {
  const auto placed = findBranch(source_, lineOf(loop), source_.columnOf(loop.getBeginLoc()));
  if (!placed)
    return refuse(refusals["macro-in-the-way"], "the loop in line {} comes from a macro",
                  lineOf(loop));
  Piece piece{.kind = Piece::Kind::Loop, .statement = &loop};
  auto shared = findSharedLoop(source_, *placed, rows_);
  auto scan = shared ? Legal<ScanLoop>(ScanLoop{}) : findScanLoop(source_, *placed, rows_);
  if (!shared && !scan)
    return tl::unexpected(shared.error());
  SharedLoop& found = shared ? *shared : scan->shared;
  if (auto legal = checkBounds(found.loop); !legal)
    return legal;
  ofFirstLane(found.loop);
  piece.call =
      callEdits(source_, found,
                shared ? callText(source_, found, "heddle::spread", "")
                       : scanText(source_, *scan, found.loop.beginText, found.loop.endText));
  piece.rounds = found.body.rounds;
  for (const Accumulator& each : found.body.accumulators)
    for (const VarDecl* variable : each.variables)
      state_.alike.erase(variable); // lane 0 alone has the result
  add(std::move(piece));
  return {};
}

/// Step 1.
bool Cutter::take(const Stmt& statement) {
  const Stmt* inner = &statement;
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(inner))
    inner = attributed->getSubStmt();
  if (isLoop(*inner)) {
    const auto taken = takeLoop(*inner);
    if (taken) {
      state_.ofAll.clear();
      state_.ofOne.clear();
      return true;
    }
    why_ = why_ ? why_ : std::optional(taken.error());
  }
  if (takeInner(*inner))
    return true;
  if (isLight(*inner)) {
    state_.ofAll.push_back(inner);
    add({.kind = Piece::Kind::ForAll, .statement = &statement});
    return true;
  }
  if (!isForOne(statement))
    return false;
  state_.ofOne.push_back(&statement);
  add({.kind = Piece::Kind::ForOne, .statement = &statement});
  return true;
}

/// All lanes come to the same result, and may ask for it.
bool Cutter::isAlikeBranch(const clang::IfStmt& branch) const {
  const Expr& condition = *branch.getCond();
  const Effects effects = effectsOf(condition);
  return branch.getElse() == nullptr && !branch.hasInitStorage() && !branch.hasVarStorage() &&
         effects.pure() && readsAlike(condition, values_, state_.alike) &&
         !readsWritten(condition) && values_.laneNames(condition).empty() &&
         std::ranges::all_of(effects.reads,
                             [&](const VarDecl* each) { return isSame(*each, effects); });
}

/// Step 4: only where it holds a loop that can be shared.
bool Cutter::takeInner(const Stmt& statement) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement);
  const auto* block =
      llvm::dyn_cast<clang::CompoundStmt>(branch != nullptr ? branch->getThen() : &statement);
  if ((branch == nullptr && block == nullptr) || (branch != nullptr && !isAlikeBranch(*branch)))
    return false;
  std::vector<const Stmt*> inside;
  if (block != nullptr)
    inside.assign(block->body_begin(), block->body_end());
  else
    inside = {branch->getThen()};
  const State before = state_;
  const Stmt* const outer = std::exchange(scope_, &statement);
  const std::size_t count = pieces_.size();
  if (branch != nullptr)
    state_.ofAll.push_back(branch->getCond());
  takeAll(inside);
  scope_ = outer;
  const bool hasLoop =
      std::any_of(pieces_.begin() + std::ptrdiff_t(count), pieces_.end(),
                  [](const Piece& each) { return each.kind == Piece::Kind::Loop; });
  if (!hasLoop) {
    pieces_.erase(pieces_.begin() + std::ptrdiff_t(count), pieces_.end());
    state_ = before;
    stopped_ = false;
    return false;
  }
  if (branch != nullptr) { // perhaps nobody has waited there
    state_.ofAll.push_back(branch->getCond());
    state_.ofAll.insert(state_.ofAll.end(), before.ofAll.begin(), before.ofAll.end());
    state_.ofOne.insert(state_.ofOne.end(), before.ofOne.begin(), before.ofOne.end());
  }
  return true;
}

/// What cannot be taken, and all behind it, is for one.
bool Cutter::takeAll(const std::vector<const Stmt*>& statements) {
  for (const Stmt* each : statements)
    if (stopped_ || !take(*each)) {
      stopped_ = true;
      add({.kind = Piece::Kind::ForOne, .statement = each});
    }
  return !stopped_;
}

Legal<std::vector<Piece>> Cutter::cut(const std::vector<const Stmt*>& statements) {
  takeAll(statements);
  const auto last = std::find_if(pieces_.rbegin(), pieces_.rend(), [](const Piece& each) {
                      return each.kind == Piece::Kind::Loop;
                    }).base();
  if (last != pieces_.begin()) { // step 3
    for (auto each = last; each != pieces_.end(); ++each)
      each->kind = Piece::Kind::ForOne;
    return std::move(pieces_);
  }
  if (why_)
    return tl::unexpected(*why_);
  const auto later =
      std::ranges::find_if(statements, [](const Stmt* each) { return isLoop(*each); });
  if (later == statements.end())
    return refuse(refusals["not-one-thread"], "the branch holds no loop of its own");
  return refuse(refusals["code-before"],
                "line {} has a loop behind code that only one thread may run", lineOf(**later));
}

} // namespace

bool readsAlike(const Stmt& code, const WarpValues& values, const std::set<const VarDecl*>& alike) {
  const Effects effects = effectsOf(code);
  const ThreadIndexUses uses = findThreadIndex(code);
  const bool reads = effects.loads || std::ranges::any_of(effects.reads, [](const VarDecl* each) {
                       return each->hasAttr<clang::CUDASharedAttr>();
                     });
  if (!reads)
    return true;
  return values.laneNames(code).empty() && uses.calls.empty() &&
         std::ranges::all_of(effects.reads, [&](const VarDecl* each) {
           return !each->hasLocalStorage() || alike.contains(each) || values.isAlike(*each) ||
                  effects.declares.contains(each);
         });
}

Legal<std::vector<Piece>> cutPieces(const Source& source, const Stmt& function,
                                    const WarpValues& values, Rows rows,
                                    const std::vector<const Stmt*>& statements) {
  return Cutter(source, function, values, rows).cut(statements);
}

} // namespace heddle::rewrite::spread
