// SPDX-License-Identifier: Apache-2.0
//
//   1. The loop's header can be run twice: nothing in the body changes what it reads.
//   2. Statements are tied where one changes what the other uses. A declaration that only computes
//      is not tied: each group gets a copy of it.
//   3. The statements tied to the first one are the first group, all others the second. Memory that
//      one group stores to must not be what the other touches.
//   4. Two copies of the loop, each without the other group.
#include "rewrite/split_loop/SplitLoop.h"

#include "rewrite/code/Communication.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/Pragmas.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/split_loop/Refusals.h"

#include <algorithm>
#include <ranges>

namespace heddle::rewrite::split_loop {
namespace {

using clang::ForStmt;
using clang::Stmt;
using Variables = std::set<const clang::VarDecl*>;

bool meet(const Variables& some, const Variables& others) {
  return std::ranges::any_of(some,
                             [&](const clang::VarDecl* each) { return others.contains(each); });
}

void join(Effects& to, const Effects& others) {
  to.reads.insert(others.reads.begin(), others.reads.end());
  to.changes.insert(others.changes.begin(), others.changes.end());
  to.declares.insert(others.declares.begin(), others.declares.end());
  to.loads = to.loads || others.loads;
  to.stores = to.stores || others.stores;
}

/// One statement of the body.
struct Member {
  const Stmt* statement = nullptr;
  Effects effects;
  bool isCopied = false; ///< a declaration that only computes
  bool inFirst = false, inSecond = false;
};

class LoopSplitter {
public:
  LoopSplitter(const Source& source, const Placed& placed) : source_(source), placed_(placed) {}

  /// Steps 1 to 3.
  Legal<std::vector<Member>> split();

private:
  Legal<void> checkHeader() const;
  Legal<void> readBody();
  void readThroughCopies();
  void growFirst();
  void placeCopies();
  Refusal whyOneGroup() const;
  Legal<void> checkMemory() const;
  Effects effectsOfGroup(bool first) const;

  const Source& source_;
  const Placed& placed_;
  const ForStmt* loop_ = nullptr;
  std::vector<Member> members_;
  Effects header_, body_, whole_;
};

/// Step 1.
Legal<void> LoopSplitter::checkHeader() const {
  const int line = source_.lineOf(loop_->getBeginLoc());
  Variables control = header_.changes; // what the header sets anew each time
  control.insert(header_.declares.begin(), header_.declares.end());
  const bool setsAll =
      loop_->getInit() != nullptr && loop_->getCond() != nullptr && loop_->getInc() != nullptr;
  Variables set;
  if (setsAll) {
    const Effects init = effectsOf(*loop_->getInit());
    set = init.changes;
    set.insert(init.declares.begin(), init.declares.end());
  }
  if (!setsAll || header_.stores || !std::ranges::includes(set, header_.changes))
    return refuse(refusals["loop-control"],
                  "the loop in line {} does not set all that counts its turns", line);
  const bool memory = header_.loads && body_.stores;
  if (meet(body_.changes, header_.reads) || meet(body_.changes, control) || memory)
    return refuse(refusals["loop-control"], "the loop in line {} changes what counts its turns",
                  line);
  return {};
}

Legal<void> LoopSplitter::readBody() {
  loop_ = llvm::dyn_cast<ForStmt>(placed_.statement);
  const auto* block =
      loop_ != nullptr ? llvm::dyn_cast<clang::CompoundStmt>(loop_->getBody()) : nullptr;
  if (loop_ == nullptr || loop_->getConditionVariable() != nullptr)
    return refuse(refusals["loop-control"], "the loop in line {} is no for loop",
                  source_.lineOf(placed_.statement->getBeginLoc()));
  if (block == nullptr || block->size() < 2)
    return refuse(refusals["one-group"], "the loop in line {} has one statement only",
                  source_.lineOf(loop_->getBeginLoc()));
  for (const Stmt* part : {loop_->getInit(), static_cast<const Stmt*>(loop_->getCond()),
                           static_cast<const Stmt*>(loop_->getInc())})
    if (part != nullptr)
      join(header_, effectsOf(*part));
  for (const Stmt* statement : block->body()) {
    members_.push_back({statement, effectsOf(*statement)});
    join(body_, members_.back().effects);
  }
  whole_ = effectsOf(*placed_.around.back());
  if (auto talks = refuseCommunication(source_, *loop_); !talks)
    return talks;
  if (!findExits(*loop_->getBody()).empty())
    return refuse(refusals["leaves-early"],
                  "the loop in line {} is left by break, continue or return",
                  source_.lineOf(loop_->getBeginLoc()));
  return {};
}

/// Step 2: whoever uses a copied declaration reads what it reads.
void LoopSplitter::readThroughCopies() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    const auto* declares = llvm::dyn_cast<clang::DeclStmt>(member.statement);
    for (std::size_t before = 0; before < i; ++before)
      if (members_[before].isCopied &&
          meet(members_[before].effects.declares, member.effects.reads)) {
        const Effects& copied = members_[before].effects;
        member.effects.reads.insert(copied.reads.begin(), copied.reads.end());
        member.effects.loads = member.effects.loads || copied.loads;
      }
    member.isCopied = declares != nullptr && member.effects.pure() &&
                      !meet(member.effects.declares, body_.changes);
    if (declares != nullptr && !member.isCopied)
      member.effects.changes.insert(member.effects.declares.begin(), member.effects.declares.end());
  }
}

/// Step 3: as long as a statement is tied to the group, it is one of it.
void LoopSplitter::growFirst() {
  const auto isTied = [&](const Member& a, const Member& b) {
    Variables of = a.effects.reads;
    of.insert(a.effects.changes.begin(), a.effects.changes.end());
    of.insert(a.effects.declares.begin(), a.effects.declares.end());
    return meet(of, b.effects.changes);
  };
  const auto begin = std::ranges::find_if(
      members_, [](const Member& each) { return !llvm::isa<clang::DeclStmt>(each.statement); });
  if (begin == members_.end())
    return;
  begin->inFirst = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (Member& each : members_)
      for (const Member& member : members_)
        if (!each.inFirst && !each.isCopied && member.inFirst &&
            (isTied(each, member) || isTied(member, each)))
          each.inFirst = grows = true;
  }
  for (Member& each : members_)
    each.inSecond = !each.inFirst && !each.isCopied;
}

/// Copies go where they are used. The last one first: it may use others.
void LoopSplitter::placeCopies() {
  for (Member& member : members_ | std::views::reverse) {
    if (!member.isCopied)
      continue;
    const auto usedIn = [&](bool Member::* group) {
      return std::ranges::any_of(members_, [&](const Member& user) {
        return user.*group && meet(member.effects.declares, user.effects.reads);
      });
    };
    member.inSecond = usedIn(&Member::inSecond);
    member.inFirst = usedIn(&Member::inFirst) || !member.inSecond;
  }
}

/// The declaration that ties statements which use it.
Refusal LoopSplitter::whyOneGroup() const {
  for (const Member& member : members_) {
    const auto users = std::ranges::count_if(members_, [&](const Member& user) {
      return meet(member.effects.declares, user.effects.reads);
    });
    const bool computes = llvm::isa<clang::DeclStmt>(member.statement) && !member.isCopied &&
                          !meet(member.effects.declares, body_.changes);
    if (computes && users > 1)
      return {refusals["shared-computation"],
              fmt::format("line {} computes for several statements and cannot be repeated",
                          source_.lineOf(member.statement->getBeginLoc()))};
  }
  return {refusals["one-group"],
          fmt::format("all statements of the loop in line {} depend on one another",
                      source_.lineOf(loop_->getBeginLoc()))};
}

Effects LoopSplitter::effectsOfGroup(bool first) const {
  Effects all;
  for (const Member& member : members_)
    if (first ? member.inFirst : member.inSecond)
      join(all, member.effects);
  return all;
}

Legal<void> LoopSplitter::checkMemory() const {
  const Effects first = effectsOfGroup(true), second = effectsOfGroup(false);
  const auto disturbs = [&](const Effects& a, const Effects& b) {
    const bool touches = b.loads || b.stores || meet(b.reads, whole_.exposed);
    return (a.stores || meet(a.changes, whole_.exposed)) && touches;
  };
  if (disturbs(first, second) || disturbs(second, first))
    return refuse(refusals["may-alias"],
                  "one group of the loop in line {} stores to memory that the other may use",
                  source_.lineOf(loop_->getBeginLoc()));
  return {};
}

Legal<std::vector<Member>> LoopSplitter::split() {
  if (auto legal = readBody(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = checkHeader(); !legal)
    return tl::unexpected(legal.error());
  readThroughCopies();
  growFirst();
  placeCopies();
  const auto works = [&](bool Member::* group) {
    return std::ranges::any_of(members_, [&](const Member& each) {
      return each.*group && !llvm::isa<clang::DeclStmt>(each.statement);
    });
  };
  if (!works(&Member::inFirst) || !works(&Member::inSecond))
    return tl::unexpected(whyOneGroup());
  if (auto legal = checkMemory(); !legal)
    return tl::unexpected(legal.error());
  return members_;
}

/// A statement with the comments above it and the rest of its line, where that is its own.
std::optional<std::vector<Range>> piecesOf(const Source& source, const clang::CompoundStmt& body) {
  std::vector<Range> pieces;
  const auto whole = source.rangeOf(body);
  if (!whole)
    return std::nullopt;
  const std::string& text = source.text();
  const auto lineEnd = [&](std::size_t at) {
    const std::size_t code = text.find_first_not_of(" \t", at);
    const bool ends = text[code] == '\n' || text.compare(code, 2, "//") == 0;
    return ends ? text.find('\n', at) + 1 : at;
  };
  std::size_t at = lineEnd(whole->begin + 1);
  for (const Stmt* statement : body.body()) {
    const auto range = source.rangeOf(*statement);
    if (!range)
      return std::nullopt;
    const std::size_t end = lineEnd(range->end);
    pieces.push_back({at, end});
    at = end;
  }
  return pieces;
}

/// Step 4.
Legal<Edits> splitText(const Source& source, const Placed& placed,
                       const std::vector<Member>& members) {
  const auto* loop = llvm::cast<ForStmt>(placed.statement);
  const auto* body = llvm::cast<clang::CompoundStmt>(loop->getBody());
  const auto range = source.rangeOf(*loop);
  const auto pieces = piecesOf(source, *body);
  if (!range || !pieces)
    return refuse(refusals["macro-in-the-way"],
                  "the loop in line {} has a statement that begins or ends in a macro",
                  source.lineOf(loop->getBeginLoc()));
  Edits edits, second;
  for (std::size_t i = 0; i < pieces->size(); ++i) {
    if (!members[i].inFirst)
      edits.remove((*pieces)[i]);
    if (!members[i].inSecond)
      second.remove((*pieces)[i]);
  }
  std::string copy = "\n";
  std::size_t begin = range->begin;
  for (const Range& line : pragmaLines(source, placed)) {
    copy += source.textOf(line);
    begin = std::min(begin, line.begin);
  }
  copy += source.indentAt(range->begin) + second.apply(source.text(), *range);
  const Stmt* parent = placed.around.front();
  if (llvm::isa<clang::AttributedStmt>(parent))
    parent = placed.around[1];
  const bool alone = !llvm::isa<clang::CompoundStmt>(parent);
  if (alone)
    edits.insert(begin, "{\n" + source.indentAt(range->begin));
  edits.insert(range->end, copy + (alone ? "\n" + source.indentAt(range->begin) + "}" : ""));
  return edits;
}

Legal<Edits> splitOne(const Source& source, const BranchStatement& loop) {
  std::optional<std::vector<Member>> groups;
  for (const Placed& instance : loop.instances) {
    auto members = LoopSplitter(source, instance).split();
    if (!members)
      return tl::unexpected(members.error());
    const bool same =
        !groups || std::ranges::equal(*groups, *members, [](const Member& a, const Member& b) {
          return a.inFirst == b.inFirst && a.inSecond == b.inSecond;
        });
    if (!same)
      return refuse(refusals["one-group"], "instances of the template fall into different groups");
    groups = std::move(*members);
  }
  return splitText(source, loop, *groups);
}

class LoopFinder final : public TreeVisitor {
public:
  bool VisitForStmt(ForStmt* loop) override {
    found.push_back(loop);
    return true;
  }
  std::vector<const ForStmt*> found;
};

} // namespace

Legal<std::vector<Proposal>> proposeSplitLoop(const Source& source, const Target& target) {
  std::vector<BranchStatement> loops;
  if (target.branch && isLoop(*target.branch->statement)) {
    loops.push_back(*target.branch);
  } else {
    LoopFinder finder;
    const clang::FunctionDecl* function =
        target.kernel != nullptr ? target.kernel : target.branch->function;
    finder.TraverseStmt(function->getBody());
    for (const ForStmt* loop : finder.found)
      if (auto placed = findBranch(source, source.lineOf(loop->getBeginLoc()),
                                   source.columnOf(loop->getBeginLoc())))
        loops.push_back(*placed);
  }
  std::optional<Refusal> refusal;
  for (const BranchStatement& loop : loops) {
    auto edits = splitOne(source, loop);
    if (edits)
      return std::vector<Proposal>{{"", std::move(*edits)}};
    refusal = refusal.value_or(edits.error());
  }
  return tl::unexpected(
      refusal.value_or(Refusal{refusals["no-loop"], "the kernel has no for loop"}));
}

const Rewrite room{
    .name = "split-loop",
    .summary = "run a loop's independent statements in two loops, for fewer registers",
    .ofKernel = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeSplitLoop,
};

} // namespace heddle::rewrite::split_loop
