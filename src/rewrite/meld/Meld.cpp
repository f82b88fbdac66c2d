// SPDX-License-Identifier: Apache-2.0
//
//   1. The branch must be an if with two arms, alike in parts that are worth it, in every instance
//      of a template.
//   2. The arms do not talk, and neither writes shared memory that the other one touches.
//   3. Variables that live from part to part, see Locals.h; roundings, see Fusing.h.
//   4. Like parts are the first arm's text with operands chosen; others stay in branches.
#include "rewrite/meld/Meld.h"

#include "rewrite/code/Communication.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/meld/Arms.h"
#include "rewrite/meld/Fusing.h"
#include "rewrite/meld/Locals.h"
#include "rewrite/meld/MeldText.h"
#include "rewrite/meld/Price.h"
#include "rewrite/meld/Refusals.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <array>

namespace heddle::rewrite::meld {
namespace {

using clang::IfStmt;
using clang::Stmt;

constexpr double leastAlike = 8; ///< instructions of a thread, an estimate

Legal<const IfStmt*> plainIf(const Stmt& statement) {
  const auto* branch = llvm::dyn_cast<IfStmt>(&statement);
  if (branch == nullptr || branch->isConstexpr())
    return refuse(refusals["not-an-if"],
                  "the branch is not an if statement that is decided at run time");
  if (branch->getElse() == nullptr)
    return refuse(refusals["nothing-alike"],
                  "the branch has no else to hold against its first arm");
  if (branch->getConditionVariable() != nullptr || branch->hasInitStorage())
    return refuse(refusals["unhoistable-declaration"],
                  "the branch declares a variable in its condition");
  return branch;
}

std::array<const Stmt*, 2> armsOf(const IfStmt& branch) {
  return {branch.getThen(), branch.getElse()};
}

class Melder {
public:
  Melder(const Source& source, const Target& target)
      : source_(source), target_(target), branch_(*target.branch) {}

  Legal<Proposal> propose();

private:
  Legal<void> alignArms();
  Legal<void> checkTalks() const;
  Legal<void> checkShared(const IfStmt& branch) const;
  bool isAlikeThroughout() const {
    return std::ranges::all_of(arms_.alignment.parts, &Part::alike);
  }

  const Source& source_;
  const Target& target_;
  const BranchStatement& branch_;
  Arms arms_;
};

/// Step 1.
Legal<void> Melder::alignArms() {
  const auto branch = plainIf(*branch_.statement);
  if (!branch)
    return tl::unexpected(branch.error());
  const auto [first, other] = armsOf(**branch);
  arms_ = {*branch, {first, statementsOf(*first)}, {other, statementsOf(*other)}, {}};
  arms_.alignment = align(source_, *first, *other, branch_.function->isDependentContext(),
                          target_.measured.loops);
  if (arms_.alignment.alike < leastAlike)
    return refuse(refusals["nothing-alike"],
                  "the arms have no statements that are alike and worth a branch less");
  for (const Placed& instance : branch_.instances) {
    const auto here = plainIf(*instance.statement);
    if (!here)
      return tl::unexpected(here.error());
    if (!isAlikeToo(source_, arms_.alignment, *(*here)->getThen(), *(*here)->getElse()))
      return refuse(refusals["nothing-alike"],
                    "the arms are not alike in an instance of the template");
  }
  return {};
}

/// Step 2.
Legal<void> Melder::checkTalks() const {
  bool writesShared = false;
  for (const Placed& instance : branch_.instances) {
    const auto& branch = *llvm::cast<IfStmt>(instance.statement);
    for (const Stmt* arm : armsOf(branch)) {
      if (auto talks = refuseAllButShared(source_, *arm); !talks)
        return talks;
      writesShared = writesShared || !refuseCommunication(source_, *arm);
    }
    if (auto legal = checkShared(branch); !legal)
      return legal;
  }
  if (isAlikeThroughout() && !writesShared)
    return refuse(refusals["alike-throughout"], "the arms are the same up to operands");
  return {};
}

/// What one arm's lanes write, lanes of the other must not touch: they would now take turns.
Legal<void> Melder::checkShared(const IfStmt& branch) const {
  const MemoryUses uses(*target_.kernel->getBody());
  const MemoryUse first = uses.of(*branch.getThen()), other = uses.of(*branch.getElse());
  const auto meets = [](const MemoryUse& writer, const MemoryUse& toucher) -> const Memory* {
    for (const auto& [memory, where] : writer.written)
      if (memory.variable != nullptr && memory.variable->hasAttr<clang::CUDASharedAttr>() &&
          (toucher.read.contains(memory) || toucher.written.contains(memory)))
        return &memory;
    return nullptr;
  };
  const Memory* memory = meets(first, other);
  if (memory == nullptr)
    memory = meets(other, first);
  if (memory != nullptr)
    return refuse(refusals["arms-share-memory"],
                  "one arm of the branch in line {} writes {}, which the other one uses",
                  source_.lineOf(branch.getBeginLoc()), memory->name());
  return {};
}

Legal<Proposal> Melder::propose() {
  if (auto legal = alignArms(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = checkTalks(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = refuseFusing(source_, arms_, branch_); !legal)
    return tl::unexpected(legal.error());
  auto locals = joinLocals(source_, arms_);
  if (!locals)
    return tl::unexpected(locals.error());
  auto edits = meldText(source_, branch_, arms_, std::move(*locals));
  if (!edits)
    return tl::unexpected(edits.error());
  const Alignment& alignment = arms_.alignment;
  Proposal proposal{.form = {}, .edits = std::move(*edits)};
  proposal.wayLengths = {alignment.alike / std::max(1.0, alignment.firstLength),
                         alignment.alike / std::max(1.0, alignment.otherLength)};
  proposal.keepsOrder =
      !effectsOf(*arms_.first.code).stores && !effectsOf(*arms_.other.code).stores;
  return proposal;
}

} // namespace

Statements Arms::of(const Arm& arm, const Part& part) const {
  const bool isFirst = &arm == &first;
  const auto begin = arm.statements.begin() + std::ptrdiff_t(isFirst ? part.first : part.other);
  return {begin, begin + std::ptrdiff_t(isFirst ? part.firstCount : part.otherCount)};
}

Legal<std::vector<Proposal>> proposeMelded(const Source& source, const Target& target) {
  auto proposal = Melder(source, target).propose();
  if (!proposal)
    return tl::unexpected(proposal.error());
  return std::vector<Proposal>{std::move(*proposal)};
}

const Rewrite room{
    .name = "meld",
    .summary = "run what two arms have in common once, for the lanes of both",
    .needsIndependence = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeMelded,
    .price = priceMelding,
};

} // namespace heddle::rewrite::meld
