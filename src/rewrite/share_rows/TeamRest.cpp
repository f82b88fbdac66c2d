// SPDX-License-Identifier: Apache-2.0
//
//   1. Statements around a loop of the team are walked, others are one piece.
//   2. A piece that stores nothing is for all lanes, any other one for the first.
//   3. What lanes of a team read apart from each other, nobody stores.
#include "rewrite/share_rows/TeamRest.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/share_rows/Refusals.h"

#include <algorithm>
#include <utility>

namespace heddle::rewrite::share_rows {
namespace {

using clang::Stmt;

void addTo(MemoryUse& all, const MemoryUse& more) {
  all.read.insert(more.read.begin(), more.read.end());
  all.written.insert(more.written.begin(), more.written.end());
}

class RestReader {
public:
  RestReader(const Source& source, const std::vector<SharedLoop>& loops)
      : source_(source), loops_(loops), uses_(*loops.front().loop.function) {}

  Legal<std::vector<FirstLanes>> read() {
    const Stmt& kernel = *loops_.front().loop.function;
    if (!walk(kernel, true))
      return refuse(refusals["no-team"],
                    "line {} stores something, and does more than one lane alone could do",
                    source_.lineOf(odd_->getBeginLoc()));
    if (const clang::VarDecl* variable = exposedIn(kernel))
      return refuse(refusals["no-team"], "{} of line {} may be changed by its address",
                    variable->getNameAsString(), source_.lineOf(variable->getLocation()));
    if (const Memory* memory = readApart())
      return refuse(refusals["no-team"], "the kernel both reads and stores {}", memory->name());
    return std::move(found_);
  }

private:
  bool isTeams(const Stmt& code) const {
    return std::ranges::any_of(loops_,
                               [&](const SharedLoop& each) { return each.loop.loop == &code; });
  }
  bool hasTeams(const Stmt& code) const {
    return isTeams(code) || std::ranges::any_of(code.children(), [&](const Stmt* child) {
             return child != nullptr && hasTeams(*child);
           });
  }
  bool walk(const Stmt& code, bool inBlock);
  bool walkAround(const Stmt& code);
  bool walkBlock(const clang::CompoundStmt& block);
  bool walkArms(const clang::IfStmt& branch);
  bool forAll(const Stmt* code);
  bool forFirst(const Stmt& code, bool inBlock);
  const clang::VarDecl* exposedIn(const Stmt& kernel) const;
  const Memory* readApart() const;
  bool fail(const Stmt& code) {
    odd_ = odd_ != nullptr ? odd_ : &code;
    return false;
  }

  const Source& source_;
  const std::vector<SharedLoop>& loops_;
  MemoryUses uses_;
  MemoryUse apart_;  ///< by all lanes, each for itself
  MemoryUse first_;  ///< by the first lane
  MemoryUse shared_; ///< by items
  std::vector<FirstLanes> found_;
  const Stmt* odd_ = nullptr; ///< that one lane cannot do alone
};

bool RestReader::forAll(const Stmt* code) {
  if (code == nullptr)
    return true;
  addTo(apart_, uses_.of(*code));
  return !effectsOf(*code).stores || fail(*code);
}

/// Step 2: nobody else needs a variable that it changes, and it goes on behind itself.
bool RestReader::forFirst(const Stmt& code, bool inBlock) {
  const Effects effects = effectsOf(code);
  const bool isOwn = std::ranges::all_of(effects.changes, [&](const clang::VarDecl* each) {
    return !each->hasLocalStorage() || effects.declares.contains(each);
  });
  const auto range = source_.rangeOf(code);
  if (!isOwn || !range || llvm::isa<clang::DeclStmt>(code) || !findExits(code).empty())
    return false;
  addTo(first_, uses_.of(code));
  found_.push_back({*range, 1, inBlock});
  return true;
}

bool RestReader::walkBlock(const clang::CompoundStmt& block) {
  bool isBehindFirst = false;
  for (const Stmt* each : block.body()) {
    const std::size_t before = found_.size();
    if (!walk(*each, true))
      return false;
    const bool isFirst =
        found_.size() == before + 1 && found_.back().range == source_.rangeOf(*each);
    if (isFirst && isBehindFirst) {
      found_[before - 1].range.end = found_.back().range.end;
      ++found_[before - 1].statements;
      found_.pop_back();
    }
    isBehindFirst = isFirst;
  }
  return true;
}

bool RestReader::walkArms(const clang::IfStmt& branch) {
  return branch.getInit() == nullptr && branch.getConditionVariable() == nullptr &&
         forAll(branch.getCond()) && walk(*branch.getThen(), false) &&
         (branch.getElse() == nullptr || walk(*branch.getElse(), false));
}

/// Step 1.
bool RestReader::walkAround(const Stmt& code) {
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(&code))
    return walk(*attributed->getSubStmt(), false);
  if (!isLoop(code))
    return false;
  const LoopHeader header = headerOf(code);
  return conditionVariable(code) == nullptr && forAll(header.init) && forAll(header.condition) &&
         forAll(header.step) && walk(*header.body, false);
}

bool RestReader::walk(const Stmt& code, bool inBlock) {
  if (isTeams(code)) {
    const LoopHeader header = headerOf(code);
    addTo(shared_, uses_.of(*header.body));
    return forAll(header.init) && forAll(header.condition);
  }
  const bool isAround = hasTeams(code);
  if (!isAround && !effectsOf(code).stores)
    return forAll(&code);
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&code))
    return walkBlock(*block);
  if (!isAround && forFirst(code, inBlock))
    return true;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&code))
    return walkArms(*branch) || fail(code);
  return (isAround && walkAround(code)) || fail(code);
}

/// A variable that may be changed by another name: lanes would have it in different states.
const clang::VarDecl* RestReader::exposedIn(const Stmt& kernel) const {
  std::vector<const clang::VarDecl*> inner;
  for (const SharedLoop& each : loops_)
    std::ranges::copy(declaredIn(*each.loop.body), std::back_inserter(inner));
  for (const clang::VarDecl* each : effectsOf(kernel).exposed)
    if (each->hasLocalStorage() && std::ranges::find(inner, each) == inner.end())
      return each;
  return nullptr;
}

/// Step 3.
const Memory* RestReader::readApart() const {
  for (const auto& [reader, writer] :
       {std::pair(&apart_, &first_), std::pair(&apart_, &shared_), std::pair(&shared_, &first_)})
    if (const Memory* memory = findConflict(*reader, *writer))
      return memory;
  return nullptr;
}

} // namespace

Legal<std::vector<FirstLanes>> findFirstLanes(const Source& source,
                                              const std::vector<SharedLoop>& loops) {
  return RestReader(source, loops).read();
}

} // namespace heddle::rewrite::share_rows
