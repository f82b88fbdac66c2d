// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. the levels: LLVM's cycles, irreducible ones too. What clang makes two nested loops of, a
//      loop whose header does nothing but lead to another one's, is one; unless they are known to
//      begin at different places of the source.
//   2. where a kernel's return does nothing, the ways to it that few blocks can take are early
//      returns: nobody waits for lanes that go there
//   3. immediate post-dominators in the graph of each level
//      (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm). Where some ways between a
//      branch and its join go to the join early (a `goto`, or a `return` of an inlined function),
//      what lies between them is a level, too: others meet inside without the lanes that leave.
//   4. the joins of branches, and where lanes meet that leave a level
#include "analysis/Joins.h"

#include "ptx/BlockMark.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>
#include <optional>

namespace heddle::analysis {
namespace {

using Edges = std::vector<std::vector<int>>;

Edges reversed(const Edges& edges) {
  Edges back(edges.size());
  for (std::size_t from = 0; from < edges.size(); ++from)
    for (const int to : edges[from])
      back[std::size_t(to)].push_back(int(from));
  return back;
}

/// Blocks from which a path leads to one of `goals`.
std::vector<bool> blocksThatReach(const std::vector<int>& goals, const Edges& predecessors) {
  std::vector<bool> reached(predecessors.size(), false);
  std::vector<int> work = goals;
  for (const int goal : goals)
    reached[std::size_t(goal)] = true;
  while (!work.empty()) {
    const int block = work.back();
    work.pop_back();
    for (const int before : predecessors[std::size_t(block)])
      if (!reached[std::size_t(before)]) {
        reached[std::size_t(before)] = true;
        work.push_back(before);
      }
  }
  return reached;
}

/// The immediate post-dominator of each node from which a path leads to `end`.
class PostDominators {
public:
  PostDominators(const Edges& successors, int end)
      : immediate_(successors.size(), noBlock), rank_(successors.size(), noBlock) {
    const std::vector<int> order = reverseOrder(reversed(successors), end);
    for (std::size_t i = 0; i < order.size(); ++i)
      rank_[std::size_t(order[i])] = int(i);
    immediate_[std::size_t(end)] = end;
    for (bool changed = true; changed;) {
      changed = false;
      for (const int node : order) {
        int meet = noBlock;
        for (const int after : successors[std::size_t(node)])
          if (immediate_[std::size_t(after)] != noBlock)
            meet = meet == noBlock ? after : intersect(meet, after);
        if (node != end && meet != noBlock && meet != immediate_[std::size_t(node)]) {
          immediate_[std::size_t(node)] = meet;
          changed = true;
        }
      }
    }
    immediate_[std::size_t(end)] = noBlock;
  }

  int of(int node) const { return immediate_[std::size_t(node)]; }

private:
  /// Reverse post-order of the reversed graph.
  static std::vector<int> reverseOrder(const Edges& predecessors, int end) {
    std::vector<std::pair<int, std::size_t>> path = {{end, 0}};
    std::vector<bool> seen(predecessors.size(), false);
    seen[std::size_t(end)] = true;
    std::vector<int> post;
    while (!path.empty()) {
      auto& [node, next] = path.back();
      const std::vector<int>& before = predecessors[std::size_t(node)];
      if (next == before.size()) {
        post.push_back(node);
        path.pop_back();
        continue;
      }
      const int candidate = before[next++];
      if (!seen[std::size_t(candidate)]) {
        seen[std::size_t(candidate)] = true;
        path.emplace_back(candidate, 0);
      }
    }
    return {post.rbegin(), post.rend()};
  }

  int intersect(int a, int b) const {
    while (a != b) {
      while (rank_[std::size_t(a)] > rank_[std::size_t(b)])
        a = immediate_[std::size_t(a)];
      while (rank_[std::size_t(b)] > rank_[std::size_t(a)])
        b = immediate_[std::size_t(b)];
    }
    return a;
  }

  std::vector<int> immediate_;
  std::vector<int> rank_; ///< place in the order; noBlock for nodes left out
};

int returnBlock(const ControlFlow& flow) {
  for (std::size_t i = 0; i < flow.blocks.size(); ++i)
    if (llvm::isa<llvm::ReturnInst>(flow.blocks[i]->getTerminator()))
      return int(i);
  return noBlock;
}

bool doesNothing(const llvm::BasicBlock& block) {
  return block.getFirstNonPHIOrDbg() == block.getTerminator();
}

// Step 1

/// Where the loop begins in the source; nothing where that is not known.
const llvm::Metadata* beginningOf(const llvm::Cycle& loop) {
  for (const llvm::BasicBlock* before : llvm::predecessors(loop.getHeader())) {
    const llvm::MDNode* node =
        loop.contains(before) ? before->getTerminator()->getMetadata(llvm::LLVMContext::MD_loop)
                              : nullptr;
    for (unsigned i = 0; node != nullptr && i < node->getNumOperands(); ++i)
      if (llvm::isa_and_nonnull<llvm::DILocation>(node->getOperand(i).get()))
        return node->getOperand(i);
  }
  return nullptr;
}

bool mayBeOneLoop(const llvm::Cycle& outer, const llvm::Cycle& inner) {
  const llvm::Metadata *around = beginningOf(outer), *inside = beginningOf(inner);
  return outer.isReducible() && inner.isReducible() &&
         (around == nullptr || inside == nullptr || around == inside);
}

/// Whether a block's marks say what it became: then they say where lanes meet, too.
bool isKnownMachineCode(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    const auto mark = ptx::markOf(instruction);
    return mark && mark->length;
  });
}

class LevelFinder {
public:
  LevelFinder(const ControlFlow& flow, Joins& joins) : flow_(flow), joins_(joins) {}

  void find() {
    llvm::CycleInfo cycles;
    cycles.compute(*flow_.blocks.front()->getParent());
    joins_.levelOf.assign(flow_.blocks.size(), 0);
    joins_.levels = {Level{}};
    for (const llvm::Cycle* cycle : cycles.toplevel_cycles())
      add(*cycle, 0);
    joins_.levels.front().end = int(joins_.levels.size());
  }

private:
  void add(const llvm::Cycle& cycle, int parent) {
    const int number = int(joins_.levels.size());
    const llvm::Cycle* inner = &cycle;
    std::vector<const llvm::Cycle*> children;
    for (const llvm::Cycle* next = inner; next != nullptr; next = sameLoop(*inner, children))
      inner = next;
    joins_.levels.push_back(
        {.parent = parent,
         .entry = cycle.isReducible() ? flow_.number(cycle.getHeader()) : noBlock,
         .header = flow_.number(inner->getHeader())});
    for (const llvm::BasicBlock* block : cycle.blocks())
      if (const int at = flow_.number(block); at < int(flow_.blocks.size()))
        joins_.levelOf[std::size_t(at)] = number;
    for (const llvm::Cycle* child : children)
      add(*child, number);
    joins_.levels[std::size_t(number)].end = int(joins_.levels.size());
  }

  /// The loop inside that is the same loop of the source; adds the others to `children`.
  static const llvm::Cycle* sameLoop(const llvm::Cycle& cycle,
                                     std::vector<const llvm::Cycle*>& children) {
    const llvm::BasicBlock* header = cycle.getHeader();
    const llvm::BasicBlock* next = doesNothing(*header) ? header->getSingleSuccessor() : nullptr;
    const llvm::Cycle* same = nullptr;
    for (const llvm::Cycle* child : cycle.children()) {
      if (child->getHeader() == next && mayBeOneLoop(cycle, *child) && !isKnownMachineCode(*header))
        same = child;
      else
        children.push_back(child);
    }
    return same;
  }

  const ControlFlow& flow_;
  Joins& joins_;
};

// Step 2

/// The edges to the kernel's return that are taken in the main way: from the block that most blocks
/// can still reach, or from several with no order between them, as the two sides of a last if.
std::vector<bool> mainExits(const ControlFlow& flow, int exit) {
  std::vector<std::ptrdiff_t> reach(flow.blocks.size(), 0);
  for (const int before : flow.predecessors[std::size_t(exit)])
    reach[std::size_t(before)] =
        std::ranges::count(blocksThatReach({before}, flow.predecessors), true);
  const std::ptrdiff_t most = std::ranges::max(reach);
  std::vector<bool> main(flow.blocks.size(), false);
  for (std::size_t i = 0; i < main.size(); ++i)
    main[i] = reach[i] > 0 && reach[i] == most;
  return main;
}

// Steps 3 and 4

/// What is known of the machine code: nothing, unless ptxas was asked.
class MachineJumps {
public:
  explicit MachineJumps(const ControlFlow& flow)
      : flow_(flow), isJump_(flow.blocks.size(), false), meetsAs_(flow.blocks.size(), 0),
        dominators_(*flow.blocks.front()->getParent()) {
    for (std::size_t block = 0; block < flow.blocks.size(); ++block)
      for (const llvm::Instruction& instruction : *flow.blocks[block])
        if (const auto mark = ptx::markOf(instruction)) {
          isJump_[block] = isJump_[block] || mark->isJump;
          if (mark->meeting != ptx::Meeting::None)
            meetsAs_[block] = mark->firstLine;
          if (mark->isAnnouncement())
            announced_.emplace(mark->firstLine, int(block));
        }
  }

  /// Whether the branch of a block is known to be a jump, which parts lanes.
  bool isJump(int block) const { return isJump_[std::size_t(block)]; }

  /// Whether lanes that part at `from` meet at `block`: they must have been told so before.
  bool meet(int from, int block) const {
    const std::uint32_t line = meetsAs_[std::size_t(block)];
    const auto [first, last] = announced_.equal_range(line);
    if (line == 0 || first == last)
      return line != 0;
    return std::any_of(first, last, [&](const auto& each) {
      return dominators_.dominates(flow_.blocks[std::size_t(each.second)],
                                   flow_.blocks[std::size_t(from)]);
    });
  }

private:
  const ControlFlow& flow_;
  std::vector<bool> isJump_;
  std::vector<std::uint32_t> meetsAs_; ///< the line by which a place to meet is known; 0 for none
  std::multimap<std::uint32_t, int> announced_;
  llvm::DominatorTree dominators_;
};

class JoinFinder {
public:
  JoinFinder(const ControlFlow& flow, bool isKernel, Joins& joins)
      : flow_(flow), machine_(flow), joins_(joins), exit_(returnBlock(flow)),
        noMeeting_(isKernel && exit_ != noBlock && doesNothing(*flow.blocks[std::size_t(exit_)])),
        mainWays_(noMeeting_ && !flow.predecessors[std::size_t(exit_)].empty()
                      ? mainExits(flow, exit_)
                      : std::vector<bool>(flow.blocks.size(), true)) {}

  void find() {
    joins_.at.assign(flow_.blocks.size(), noBlock);
    choices_.resize(flow_.blocks.size());
    for (int level = 0; level < int(joins_.levels.size()); ++level)
      visit(level); // may add regions, which come later
    renumber();
    choose();
    while (nest()) {
    }
  }

private:
  // Nodes of a level's graph: blocks, then the levels inside, then the end.
  int nodeOfLevel(int level) const { return int(flow_.blocks.size()) + level; }
  int endNode() const { return nodeOfLevel(int(joins_.levels.size())); }
  bool isBlock(int node) const { return node < int(flow_.blocks.size()); }

  bool contains(int level, int block) const {
    int inner = joins_.levelOf[std::size_t(block)];
    while (inner != level && inner != noLevel)
      inner = joins_.levels[std::size_t(inner)].parent;
    return inner == level;
  }

  /// A block's node in the graph of a level: itself, or the level inside that it belongs to.
  int nodeOf(int level, int block) const {
    int inner = joins_.levelOf[std::size_t(block)];
    if (inner == level)
      return block;
    while (joins_.levels[std::size_t(inner)].parent != level)
      inner = joins_.levels[std::size_t(inner)].parent;
    return nodeOfLevel(inner);
  }

  /// Where lanes that stay in a level up to its end meet.
  int endOf(int level) const {
    const Level& found = joins_.levels[std::size_t(level)];
    return level == 0 ? exit_ : found.header != noBlock ? found.header : found.exitJoin;
  }

  /// With early ways to the end, or without.
  Edges graphOf(int level, bool whole) const {
    Edges edges(std::size_t(endNode()) + 1);
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      if (!contains(level, block))
        continue;
      const int from = nodeOf(level, block);
      for (const int after : flow_.successors[std::size_t(block)]) {
        const bool isEnd = after == endOf(level);
        if ((!contains(level, after) && !isEnd) || (isEnd && !whole && !isMainWay(level, block)))
          continue;
        if (const int to = isEnd ? endNode() : nodeOf(level, after); to != from)
          edges[std::size_t(from)].push_back(to);
      }
    }
    return edges;
  }

  bool isMainWay(int level, int block) const {
    if (level == 0)
      return mainWays_[std::size_t(block)];
    const auto region = regions_.find(level);
    return region == regions_.end() || llvm::is_contained(region->second, block);
  }

  /// Where lanes come to a node. Nobody waits at a return with nothing to do.
  int blockOf(int level, int node) const {
    if (node == endNode())
      return level == 0 && noMeeting_ ? noBlock : endOf(level);
    return isBlock(node) ? node : joins_.levels[std::size_t(node) - flow_.blocks.size()].entry;
  }

  void visit(int level) {
    if (level == 0 && exit_ == noBlock)
      return;
    while (addRegion(level)) {
    }
    const PostDominators alive(graphOf(level, false), endNode());
    const PostDominators whole(graphOf(level, true), endNode());
    const auto joinsOf = [&](int node, bool isJump, int from) {
      const PostDominators& found = alive.of(node) != noBlock ? alive : whole;
      Choice choice;
      for (int at = found.of(node); at != noBlock; at = found.of(at)) {
        const int join = blockOf(level, at);
        if (join == noBlock && at != endNode())
          continue; // a loop with several ways in
        choice.joins.push_back(join);
        if (!isJump || join == noBlock || (at == endNode() && regions_.contains(level)) ||
            machine_.meet(from, join))
          break;
        choice.exits = at == endNode() && level > 0; // each goes round by itself
      }
      choice.taken = choice.joins.size() - (choice.exits || choice.joins.empty() ? 0 : 1);
      return choice;
    };
    for (int block = 0; block < int(flow_.blocks.size()); ++block)
      if (joins_.levelOf[std::size_t(block)] == level)
        choices_[std::size_t(block)] = joinsOf(block, machine_.isJump(block), block);
    for (int inner = 1; inner < int(joins_.levels.size()); ++inner)
      if (joins_.levels[std::size_t(inner)].parent == level && !regions_.contains(inner))
        exits_[inner] = joinsOf(nodeOfLevel(inner), isLeftByJump(inner),
                                joins_.levels[std::size_t(inner)].header);
  }

  /// Places where lanes could meet that part at a branch, or leave a loop, the nearest first.
  struct Choice {
    std::vector<int> joins;
    std::size_t taken = 0;
    bool exits = false; ///< behind the last one: where lanes meet that leave the level

    int join(int exit) const {
      return taken < joins.size() ? joins[taken] : exits ? exit : noBlock;
    }
  };

  /// Joins as they are chosen; the exits of outer loops come first.
  void choose() {
    for (int level = 1; level < int(joins_.levels.size()); ++level)
      if (const auto exit = exits_.find(level); exit != exits_.end())
        joins_.levels[std::size_t(level)].exitJoin = exit->second.join(exitOfLoop(parentOf(level)));
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      const int left = joins_.leftBy(flow_, block);
      const Choice& choice = choices_[std::size_t(block)];
      joins_.at[std::size_t(block)] =
          left != noLevel ? joins_.levels[std::size_t(left)].exitJoin
                          : choice.join(exitOfLoop(joins_.levelOf[std::size_t(block)]));
    }
  }

  int parentOf(int level) const { return joins_.levels[std::size_t(level)].parent; }
  int exitOfLoop(int level) const { return joins_.levels[std::size_t(level)].exitJoin; }

  /// Lanes that part once more before they have met do so again before they meet the others: where
  /// machine code says otherwise, they meet sooner here. Returns whether something was changed.
  bool nest() {
    const auto skips = [](const Choice& choice) { return choice.taken > 0; };
    if (std::ranges::none_of(choices_, skips) &&
        std::ranges::none_of(exits_, skips, &std::pair<const int, Choice>::second))
      return false;
    bool changed = false;
    for (int block = 0; block < int(flow_.blocks.size()); ++block)
      if (flow_.successors[std::size_t(block)].size() > 1)
        changed |= nestBefore(joins_.at[std::size_t(block)], flow_.successors[std::size_t(block)],
                              joins_.levelOf[std::size_t(block)]);
    for (int level = 1; level < int(joins_.levels.size()); ++level)
      changed |= nestBefore(exitOfLoop(level), targetsOf(level), level);
    if (changed)
      choose();
    return changed;
  }

  std::vector<int> targetsOf(int level) const {
    std::vector<int> found;
    for (int block = 0; block < int(flow_.blocks.size()); ++block)
      for (const int after : flow_.successors[std::size_t(block)])
        if (joins_.contains(level, block) && !joins_.contains(level, after))
          found.push_back(after);
    return found;
  }

  /// What lies on the way from `from`, in a level, to a join has its joins there at the latest.
  bool nestBefore(int join, const std::vector<int>& from, int level) {
    if (join == noBlock)
      return false;
    std::vector<bool> seen(flow_.blocks.size(), false);
    std::vector<int> work = from;
    bool changed = false;
    const auto take = [&](Choice& choice) {
      const auto found = std::ranges::find(choice.joins, join) - choice.joins.begin();
      if (std::size_t(found) < std::min(choice.taken, choice.joins.size())) {
        choice.taken = std::size_t(found);
        changed = true;
      }
    };
    while (!work.empty()) {
      const int block = work.back();
      work.pop_back();
      if (block == join || seen[std::size_t(block)])
        continue;
      seen[std::size_t(block)] = true;
      take(choices_[std::size_t(block)]);
      for (int around = joins_.levelOf[std::size_t(block)];
           around > 0 && !(around <= level && level < joins_.levels[std::size_t(around)].end);
           around = parentOf(around))
        if (const auto exit = exits_.find(around); exit != exits_.end())
          take(exit->second);
      for (const int after : flow_.successors[std::size_t(block)])
        work.push_back(after);
    }
    return changed;
  }

  /// Whether a branch that leaves a level is a jump of the machine.
  bool isLeftByJump(int level) const {
    for (int block = 0; block < int(flow_.blocks.size()); ++block)
      if (contains(level, block) && machine_.isJump(block))
        for (const int after : flow_.successors[std::size_t(block)])
          if (!contains(level, after))
            return true;
    return false;
  }

  // Regions

  /// A branch and what lies between it and its join, entered through the branch alone.
  struct Region {
    int head = noBlock;
    std::vector<bool> nodes;
    int join = noBlock;         ///< a node
    std::vector<bool> mainWays; ///< nodes from which lanes go to the join, but for early ones
    bool hasEarly = false;
  };

  /// Looks for a branch between which and its join some ways go to the join early, so that lanes of
  /// branches inside meet sooner without them, and makes a level of it.
  bool addRegion(int level) {
    const Edges edges = graphOf(level, false);
    const PostDominators alive(edges, endNode());
    for (int node = 0; node < endNode(); ++node) {
      const int join = edges[std::size_t(node)].size() < 2 ? noBlock : alive.of(node);
      if (join == noBlock || blockOf(level, join) == noBlock ||
          blockOf(level, join) == blockOf(level, node)) // a loop's first block
        continue;
      const std::optional<Region> region = regionOf(node, join, edges);
      if (region && region->hasEarly && !crossesLevel(level, *region) &&
          meetSooner(*region, edges, alive)) {
        makeLevel(level, *region);
        return true;
      }
    }
    return false;
  }

  /// Whether lanes that leave a level inside a region meet behind it, where others of the region do
  /// not come: then one of the two must not be.
  bool crossesLevel(int level, const Region& region) const {
    for (int node = 0; node < endNode(); ++node) {
      if (!region.nodes[std::size_t(node)] || isBlock(node))
        continue;
      const int exit = joins_.levels[std::size_t(node) - flow_.blocks.size()].exitJoin;
      if (exit != noBlock && exit != blockOf(level, region.join) &&
          (!contains(level, exit) || !region.nodes[std::size_t(nodeOf(level, exit))]))
        return true;
    }
    return false;
  }

  static std::optional<Region> regionOf(int head, int join, const Edges& edges) {
    Region region{head, std::vector<bool>(edges.size(), false), join,
                  std::vector<bool>(edges.size(), false)};
    std::vector<int> members = {head};
    region.nodes[std::size_t(head)] = true;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const int to : edges[std::size_t(members[i])])
        if (to != join && !region.nodes[std::size_t(to)]) {
          region.nodes[std::size_t(to)] = true;
          members.push_back(to);
        }
    const Edges back = reversed(edges);
    for (const int member : members)
      for (const int from : back[std::size_t(member)])
        if (member != head && !region.nodes[std::size_t(from)])
          return std::nullopt; // there is another way in
    std::ptrdiff_t most = 0;
    std::vector<std::ptrdiff_t> reach(edges.size(), 0);
    for (const int last : back[std::size_t(join)]) {
      if (!region.nodes[std::size_t(last)])
        continue;
      const std::vector<bool> reaching = blocksThatReach({last}, back);
      reach[std::size_t(last)] = std::ranges::count_if(
          members, [&](int member) { return bool(reaching[std::size_t(member)]); });
      most = std::max(most, reach[std::size_t(last)]);
    }
    std::vector<int> ways;
    for (const int member : members) {
      const std::ptrdiff_t reached = reach[std::size_t(member)];
      region.mainWays[std::size_t(member)] = reached == most;
      region.hasEarly = region.hasEarly || (reached > 0 && reached < most);
      if (reached == most)
        ways.push_back(member);
    }
    const std::vector<bool> stays = blocksThatReach(ways, back); // others only lead away
    for (std::size_t node = 0; node < edges.size(); ++node)
      region.nodes[node] = region.nodes[node] && stays[node];
    return region;
  }

  /// Whether a branch inside has a nearer join without the early ways.
  static bool meetSooner(const Region& region, const Edges& edges, const PostDominators& before) {
    Edges inside(edges.size());
    for (std::size_t node = 0; node < edges.size(); ++node)
      for (const int to : edges[node])
        if (region.nodes[node] &&
            (to == region.join ? bool(region.mainWays[node]) : bool(region.nodes[std::size_t(to)])))
          inside[node].push_back(to);
    const PostDominators now(inside, region.join);
    for (int node = 0; node < int(edges.size()); ++node)
      if (inside[std::size_t(node)].size() > 1 && now.of(node) != noBlock &&
          now.of(node) != before.of(node))
        return true;
    return false;
  }

  void makeLevel(int parent, const Region& region) {
    const int number = int(joins_.levels.size());
    const int join = blockOf(parent, region.join);
    const int entry = blockOf(parent, region.head);
    std::vector<int> ways;
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      if (!contains(parent, block) || !region.nodes[std::size_t(nodeOf(parent, block))])
        continue;
      if (region.mainWays[std::size_t(nodeOf(parent, block))])
        ways.push_back(block);
    }
    std::vector<int> blocks, levels;
    for (int node = 0; node < endNode(); ++node)
      if (region.nodes[std::size_t(node)])
        (isBlock(node) ? blocks : levels).push_back(node);
    for (const int block : blocks)
      joins_.levelOf[std::size_t(block)] = number;
    for (const int level : levels)
      joins_.levels[std::size_t(level) - flow_.blocks.size()].parent = number;
    joins_.levels.push_back({.parent = parent, .entry = entry, .exitJoin = join});
    regions_[number] = std::move(ways);
  }

  /// Outer levels first, each followed by those in it.
  void renumber() {
    std::vector<int> numbers(joins_.levels.size(), noLevel);
    std::vector<Level> levels;
    const auto place = [&](const auto& self, int level) -> void {
      const auto number = levels.size();
      numbers[std::size_t(level)] = int(number);
      levels.push_back(joins_.levels[std::size_t(level)]);
      for (int inner = 1; inner < int(joins_.levels.size()); ++inner)
        if (joins_.levels[std::size_t(inner)].parent == level)
          self(self, inner);
      levels[number].end = int(levels.size());
    };
    place(place, 0);
    for (Level& level : levels)
      level.parent = level.parent == noLevel ? noLevel : numbers[std::size_t(level.parent)];
    for (int& level : joins_.levelOf)
      level = numbers[std::size_t(level)];
    joins_.levels = std::move(levels);
    std::map<int, Choice> exits;
    for (auto& [level, choice] : exits_)
      exits[numbers[std::size_t(level)]] = std::move(choice);
    exits_ = std::move(exits);
  }

  const ControlFlow& flow_;
  const MachineJumps machine_;
  Joins& joins_;
  int exit_;
  std::vector<Choice> choices_; ///< of blocks
  std::map<int, Choice> exits_; ///< of loops, by level
  bool noMeeting_;              ///< at the return, where a thread has nothing left to do
  std::vector<bool> mainWays_;  ///< blocks that go to the return, but for early ones
  std::map<int, std::vector<int>> regions_; ///< levels that are no loops: the main ways out
};

} // namespace

ControlFlow::ControlFlow(llvm::Function& function) {
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    blocks.push_back(block);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    numbers_[blocks[i]] = int(i);
  successors.resize(blocks.size());
  predecessors.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (const llvm::BasicBlock* after : llvm::successors(blocks[i])) {
      successors[i].push_back(numbers_.lookup(after));
      predecessors[std::size_t(numbers_.lookup(after))].push_back(int(i));
    }
}

int ControlFlow::number(const llvm::BasicBlock* block) const {
  const auto found = numbers_.find(block);
  return found == numbers_.end() ? int(blocks.size()) : found->second;
}

int Joins::leftBy(int from, int to) const {
  int left = noLevel;
  for (int level = levelOf[std::size_t(from)]; level > 0 && !contains(level, to);
       level = levels[std::size_t(level)].parent)
    left = level;
  return left;
}

int Joins::leftBy(const ControlFlow& flow, int block) const {
  int left = noLevel;
  for (const int after : flow.successors[std::size_t(block)])
    if (const int level = leftBy(block, after); level != noLevel)
      left = left == noLevel ? level : std::min(left, level);
  return left;
}

int Joins::loopOf(int block) const {
  int level = levelOf[std::size_t(block)];
  while (level > 0 && levels[std::size_t(level)].header == noBlock)
    level = levels[std::size_t(level)].parent;
  return level;
}

Joins findJoins(const ControlFlow& flow, bool isKernel) {
  Joins joins;
  LevelFinder(flow, joins).find();
  JoinFinder(flow, isKernel, joins).find();
  return joins;
}

std::vector<int> findPostDominators(const ControlFlow& flow) {
  std::vector<int> found(flow.blocks.size(), noBlock);
  const int exit = returnBlock(flow);
  if (exit == noBlock)
    return found;
  const PostDominators all(flow.successors, exit);
  for (std::size_t block = 0; block < found.size(); ++block)
    found[block] = all.of(int(block));
  return found;
}

} // namespace heddle::analysis
