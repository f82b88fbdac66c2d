// SPDX-License-Identifier: Apache-2.0
#include "sass/MatchBlocks.h"

#include "ptx/BlockMark.h"
#include "ptx/MachinePlan.h"
#include "ptx/ReadPtx.h"
#include "sass/MachineGraph.h"
#include "support/Parse.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace heddle::sass {
namespace {

constexpr int none = -1;
constexpr int weightOfMemory = 3;
constexpr std::size_t fewestForRounds = 4;

/// A block of PTX. It is several of LLVM's where it has guarded instructions: `@p st [a], b`.
struct Unit {
  llvm::Instruction* begin = nullptr; ///< the mark at its beginning
  llvm::Instruction* end = nullptr;   ///< the mark at its end
  ptx::BlockMark lines;
  ptx::MachinePlan plan = {}; ///< of what runs with it
  unsigned depth = 0;         ///< of the loops around it
  bool isLoopHead = false;
  int group = none; ///< the unit whose branch runs it, once predicated branches are gone

  llvm::BasicBlock& first() const { return *begin->getParent(); }
  llvm::BasicBlock& last() const { return *end->getParent(); }
  llvm::Function& function() const { return *last().getParent(); }
};

/// The blocks of PTX of a module, by their lines.
class Units {
public:
  Units(llvm::Module& module, std::string_view ptx) : lines_(splitText(ptx, '\n')) {
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) {
        cycles_[&function].compute(function);
        dominators_[&function].recalculate(function);
        add(function);
      }
    std::ranges::sort(all_, {}, [](const Unit& unit) { return unit.lines.firstLine; });
    for (int i = 0; i < int(all_.size()); ++i) {
      all_[std::size_t(i)].group = i;
      byFirst_.try_emplace(&all_[std::size_t(i)].first(), i);
      byLast_.try_emplace(&all_[std::size_t(i)].last(), i);
    }
  }

  int size() const { return int(all_.size()); }
  Unit& operator[](int unit) { return all_[std::size_t(unit)]; }
  const Unit& operator[](int unit) const { return all_[std::size_t(unit)]; }

  /// The unit of a line; a jump behind a branch belongs to the branch.
  int at(std::uint32_t line) const {
    const auto behind = std::ranges::upper_bound(
        all_, line, {}, [](const Unit& unit) { return unit.lines.firstLine; });
    return int(behind - all_.begin()) - 1;
  }
  /// The unit whose branch ends a block.
  int endingWith(const llvm::BasicBlock* block) const {
    const auto found = byLast_.find(block);
    return found == byLast_.end() ? none : found->second;
  }
  const llvm::CycleInfo& cyclesOf(const llvm::Function& function) const {
    return cycles_.at(&function);
  }
  /// The innermost loop around a unit.
  const llvm::Cycle* loopOf(int unit) const {
    const Unit& inside = (*this)[unit];
    return cyclesOf(inside.function()).getCycle(&inside.first());
  }
  /// Whether one unit, or the branch that it is a side of, runs whenever another does.
  bool comesBefore(int unit, int other) const {
    const llvm::BasicBlock& first = (*this)[(*this)[unit].group].first();
    const llvm::BasicBlock& second = (*this)[other].first();
    return first.getParent() == second.getParent() &&
           dominators_.at(first.getParent()).dominates(&first, &second);
  }
  /// The unit with which the loop of some depth around a unit begins.
  int firstOfLoop(int unit, unsigned depth) const {
    const llvm::Cycle* cycle = loopOf(unit);
    while (cycle != nullptr && cycle->getDepth() > depth)
      cycle = cycle->getParentCycle();
    if (cycle == nullptr)
      return unit;
    const auto found = byFirst_.find(cycle->getHeader());
    return found == byFirst_.end() ? none : found->second;
  }
  /// Whether a line of PTX is an instruction that is one of the machine's, or part of one.
  bool isSimple(std::uint32_t line) const {
    if (line == 0 || line > lines_.size())
      return false;
    const std::string_view text = lines_[line - 1];
    const bool isNarrow =
        text.find("32 ") != std::string_view::npos || text.find("32\t") != std::string_view::npos;
    const auto isThere = [&](const char* word) {
      return text.find(word) != std::string_view::npos;
    };
    return isNarrow && !isThere("div.") && !isThere("rem.") && !isThere("setp.") &&
           !isThere("selp.") && !isThere(".local") && !isThere("mov.") && !isThere("cvt.") &&
           !isThere("approx");
  }
  /// Whether an instruction at this line may be what a branch became.
  bool isEnd(int unit, std::uint32_t line) const {
    return unit != none && line >= (*this)[unit].lines.lastLine;
  }

private:
  /// A mark at an end belongs to the last one at a beginning: blocks are in the order of the text.
  void add(llvm::Function& function) {
    const llvm::CycleInfo& cycles = cycles_.at(&function);
    llvm::Instruction* begin = nullptr;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        const auto mark = ptx::markOf(instruction);
        if (mark && mark->isBegin()) {
          begin = &instruction;
        } else if (mark && begin != nullptr) {
          const llvm::Cycle* cycle = cycles.getCycle(begin->getParent());
          all_.push_back(
              {.begin = begin,
               .end = &instruction,
               .lines = *mark,
               .depth = cycle == nullptr ? 0 : cycle->getDepth(),
               .isLoopHead = cycle != nullptr && cycle->getHeader() == begin->getParent()});
          begin = nullptr;
        }
      }
  }

  std::vector<std::string_view> lines_;
  std::vector<Unit> all_;
  std::map<const llvm::Function*, llvm::CycleInfo> cycles_;
  std::map<const llvm::Function*, llvm::DominatorTree> dominators_;
  std::map<const llvm::BasicBlock*, int> byFirst_, byLast_;
};

// Step 1

/// The units whose branch is still there as a jump.
std::set<int> keptBranches(const Units& units, const std::vector<Routine>& routines) {
  std::set<int> kept;
  for (const Routine& routine : routines)
    for (const Instruction& each : routine.code)
      if (const int unit = units.at(each.line);
          each.kind == Kind::Table ||
          ((each.kind == Kind::Branch || each.kind == Kind::Exit) && units.isEnd(unit, each.line)))
        kept.insert(unit);
  return kept;
}

/// Puts the sides of predicated branches into the groups of their branches.
class Predication {
public:
  Predication(llvm::Function& function, Units& units, const std::set<int>& kept)
      : units_(units), kept_(kept), dominators_(function), postDominators_(function),
        cycles_(units.cyclesOf(function)) {
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    for (llvm::BasicBlock* block : order)
      visit(*block);
  }

private:
  void visit(llvm::BasicBlock& block) {
    const int unit = units_.endingWith(&block);
    if (unit == none || kept_.contains(unit) || block.getTerminator()->getNumSuccessors() < 2)
      return;
    const auto* node = postDominators_.getNode(&block);
    const llvm::BasicBlock* join =
        node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
    if (join == nullptr)
      return;
    std::set<llvm::BasicBlock*> sides;
    std::vector<llvm::BasicBlock*> work = {&block};
    while (!work.empty()) {
      llvm::BasicBlock* at = work.back();
      work.pop_back();
      for (llvm::BasicBlock* after : llvm::successors(at))
        if (after != join && sides.insert(after).second)
          work.push_back(after);
    }
    for (llvm::BasicBlock* side : sides) // a loop is no side
      if (side == &block || cycles_.getCycle(side) != cycles_.getCycle(&block))
        return;
    for (llvm::BasicBlock* side : sides)
      if (const int other = units_.endingWith(side);
          other != none && dominators_.dominates(&block, side) && !isBehindJump(*side, sides))
        units_[other].group = units_[unit].group;
  }

  /// Whether a branch of these blocks is still a jump, and may go around one of them.
  bool isBehindJump(const llvm::BasicBlock& side, const std::set<llvm::BasicBlock*>& blocks) const {
    return std::ranges::any_of(blocks, [&](llvm::BasicBlock* jump) {
      return jump != &side && kept_.contains(units_.endingWith(jump)) &&
             jump->getTerminator()->getNumSuccessors() > 1 && dominators_.dominates(jump, &side) &&
             !postDominators_.dominates(&side, jump);
    });
  }

  Units& units_;
  const std::set<int>& kept_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  const llvm::CycleInfo& cycles_;
};

// Step 2

/// Whether a unit is on one of several ways to another one.
bool isSide(const Units& units, int unit, int other) {
  return unit != none && unit < other && units[unit].depth == units[other].depth &&
         &units[unit].function() == &units[other].function() && !units.comesBefore(unit, other);
}

/// Where a branch that several blocks of PTX lead to is copied behind one of them, the block of
/// machine code is cut in two: the branch has other comers.
///
///   unit:  if (a)  path;            @a   jump over
///   other: if (b)  ...         ==>       path;  @!b jump over      is cut behind the path
std::set<std::uint32_t> findCuts(const Units& units, const MachineGraph& graph) {
  const std::vector<Instruction>& code = graph.routine().code;
  std::map<int, int> ways; // to a block
  for (const MachineBlock& block : graph.blocks())
    for (const int after : block.after)
      ways[after] += code[block.begin].kind == Kind::Wait ? 2 : 1; // all come from there
  std::set<std::uint32_t> cuts;
  for (int number = 0; number < int(graph.blocks().size()); ++number) {
    const MachineBlock& block = graph.blocks()[std::size_t(number)];
    const Instruction& last = code[block.end - 1];
    const int branch = units.at(last.line);
    if (last.kind != Kind::Branch || !last.conditional || !units.isEnd(branch, last.line) ||
        ways[number] != 1)
      continue;
    std::uint32_t cut = block.begin, others = 0;
    for (std::uint32_t i = block.begin; i + 1 < block.end; ++i)
      if (code[i].kind != Kind::Open && isSide(units, units.at(code[i].line), branch)) {
        cut = i + 1;
        ++others;
      }
    if (2 * others > cut - block.begin) // else a few that were moved, or that carry a wrong line
      cuts.insert(cut);
  }
  return cuts;
}

// Steps 3 and 4

/// What the blocks of machine code of one graph stand for.
class GraphMatcher {
public:
  GraphMatcher(const Units& units, const std::set<int>& kept, const MachineGraph& graph)
      : units_(units), kept_(kept), graph_(graph) {
    findLoops();
    for (int block = 0; block < int(graph.blocks().size()); ++block)
      stands_.push_back(takeHead(find(block), block));
    findAnnouncers();
    findMeetings();
    for (int block = 0; block < int(stands_.size()); ++block)
      if ((!isWait(block) || isInside_[std::size_t(block)]) && stands_[std::size_t(block)] != none)
        blocksOf_[units_[stands_[std::size_t(block)]].group].push_back(block);
  }

  const std::map<int, std::vector<int>>& blocksOf() const { return blocksOf_; }

  struct Matched {
    std::uint32_t length = 0; ///< machine instructions of a unit and what runs with it
    ptx::MachinePlan plan;
  };

  Matched matchedFor(int unit) const {
    const std::vector<Together> all = togetherFor(unit);
    return {lengthOf(unit, all), planOf(unit, all)};
  }

  /// The units at whose beginning parts of a warp meet.
  const std::map<int, ptx::Meeting>& meetings() const { return meetings_; }
  /// Units whose branch became one jump with that of the unit above.
  const std::map<int, int>& merged() const { return merged_; }
  /// Units that announce such a meeting, with the unit that begins with it.
  const std::set<std::pair<int, int>>& announcements() const { return announcements_; }

private:
  /// Blocks that run together.
  struct Together {
    int block = none;                   ///< the first of them
    std::map<std::uint32_t, int> lines; ///< with the instructions of each
    std::uint32_t length = 0;
    std::vector<std::uint32_t> code; ///< their instructions
  };

  std::uint32_t lengthOf(int unit, const std::vector<Together>& all) const {
    std::size_t most = 0;
    for (const Together& each : all)
      most = std::max(most, each.lines.size());
    double sum = 0;
    int copies = 0;
    for (const Together& each : all)
      if (2 * each.lines.size() >= most) { // else a slow path
        const unsigned depth = units_[unit].depth;
        const bool isUnrolled = graph_.depth(each.block) < depth;
        sum += double(each.length) / (depth > 0 ? rounds(each.lines, isUnrolled) : 1);
        ++copies;
      }
    return std::uint32_t(std::lround(sum / std::max(copies, 1)));
  }

  /// The machine instructions of a unit and what runs with it: of several copies the first of the
  /// longest.
  ptx::MachinePlan planOf(int unit, const std::vector<Together>& all) const {
    const auto longest =
        std::ranges::max_element(all, {}, [](const Together& each) { return each.lines.size(); });
    ptx::MachinePlan plan;
    if (longest == all.end())
      return plan;
    const unsigned depth = units_[unit].depth;
    const bool isUnrolled = graph_.depth(longest->block) < depth;
    if (depth > 0)
      plan.rounds = std::uint8_t(std::clamp(rounds(longest->lines, isUnrolled), 1, 255));
    for (const std::uint32_t each : longest->code)
      if (instruction(each).kind != Kind::Nothing)
        plan.code.push_back(instruction(each).plan);
    return plan;
  }

  std::vector<Together> togetherFor(int unit) const {
    std::vector<Together> all;
    for (const int block : blocksOf_.at(unit)) {
      auto found = std::ranges::find_if(
          all, [&](const Together& each) { return graph_.runTogether(each.block, block); });
      if (found == all.end())
        found = all.insert(all.end(), Together{.block = block, .lines = {}, .code = {}});
      const MachineBlock& code = graph_.blocks()[std::size_t(block)];
      for (std::uint32_t i = code.begin; i < code.end; ++i) {
        ++found->lines[instruction(i).line];
        found->code.push_back(i);
        found->length += instruction(i).kind == Kind::Nothing ? 0 : 1;
      }
    }
    return all;
  }

  /// How many rounds of a loop some instructions are: an instruction of PTX that is one of the
  /// machine's stands there once for each.
  int rounds(const std::map<std::uint32_t, int>& lines, bool isUnrolled) const {
    std::vector<int> counts;
    for (const auto& [line, count] : lines)
      if (units_.isSimple(line))
        counts.push_back(count);
    if (counts.size() < (isUnrolled ? 1 : fewestForRounds))
      return 1;
    std::ranges::nth_element(counts, counts.begin() + std::ptrdiff_t(counts.size() / 4));
    return counts[counts.size() / 4];
  }

  /// How deep in the loops of machine code that of each loop of PTX lies.
  void findLoops() {
    for (int block = 0; block < int(graph_.blocks().size()); ++block) {
      const MachineBlock& code = graph_.blocks()[std::size_t(block)];
      for (std::uint32_t i = code.begin; i < code.end; ++i)
        if (const int unit = units_.at(instruction(i).line); unit != none)
          for (const llvm::Cycle* loop = units_.loopOf(unit); loop != nullptr;
               loop = loop->getParentCycle())
            deepest_[loop] = std::max(deepest_[loop], graph_.depth(block));
    }
  }

  /// The loops around a unit that machine code still has: what is unrolled to its end is none.
  unsigned depthOf(int unit) const {
    const auto found = deepest_.find(units_.loopOf(unit));
    const unsigned depth = units_[unit].depth;
    return found == deepest_.end() ? depth : std::min(depth, found->second);
  }

  const Instruction& instruction(std::uint32_t index) const { return graph_.routine().code[index]; }
  bool isWait(int block) const {
    const MachineBlock& code = graph_.blocks()[std::size_t(block)];
    return instruction(code.begin).kind == Kind::Wait;
  }

  /// Where lanes wait for what a division or a vote of a unit does, the wait is part of the unit.
  void findMeetings() {
    isInside_.assign(stands_.size(), false);
    std::vector<std::set<int>> before(stands_.size());
    std::vector<bool> isJoin(stands_.size(), false); ///< of a branch of PTX
    for (std::size_t block = 0; block < stands_.size(); ++block)
      for (const int after : graph_.blocks()[block].after) {
        before[std::size_t(after)].insert(stands_[block]);
        isJoin[std::size_t(after)] = isJoin[std::size_t(after)] || endsWithBranch(int(block));
      }
    for (int block = 0; block < int(stands_.size()); ++block) {
      const std::set<int>& around = before[std::size_t(block)];
      int unit = isWait(block) ? behind(block) : none;
      if (unit == none)
        continue;
      if (around.contains(unit) && !comesAgain(block, unit) && isJoin[std::size_t(block)])
        if (const int next = behind(block, around); next != none)
          unit = next; // what stands behind the wait was moved there from before it
      if (around.contains(unit) && !comesAgain(block, unit)) {
        isInside_[std::size_t(block)] = true;
        stands_[std::size_t(block)] = unit;
      } else {
        addMeeting(block, unit);
      }
    }
  }

  bool comesAgain(int block, int unit) const {
    return graph_.depth(block) >= depthOf(unit) && units_[unit].isLoopHead;
  }

  void addMeeting(int block, int unit) {
    const auto kind = comesAgain(block, unit) ? ptx::Meeting::ByGoing : ptx::Meeting::All;
    const auto [known, isNew] = meetings_.emplace(unit, kind);
    if (known->second != kind)
      known->second = ptx::Meeting::All;
    const auto [first, last] = opened_.equal_range(graph_.blocks()[std::size_t(block)].end);
    for (auto by = first; by != last; ++by)
      announcements_.insert({by->second, unit});
  }

  /// Whether a block ends with the branch of a block of PTX, not with one that ptxas made.
  bool endsWithBranch(int block) const {
    const Instruction& last = instruction(graph_.blocks()[std::size_t(block)].end - 1);
    return last.kind == Kind::Branch && last.conditional &&
           units_.isEnd(units_.at(last.line), last.line);
  }

  /// Whether an instruction of a block comes from a unit.
  bool comesFrom(int block, int unit) const {
    const MachineBlock& code = graph_.blocks()[std::size_t(block)];
    for (std::uint32_t i = code.begin; i < code.end; ++i)
      if (units_.at(instruction(i).line) == unit)
        return true;
    return false;
  }

  /// The units in which lanes are told where to meet.
  void findAnnouncers() {
    for (std::size_t block = 0; block < stands_.size(); ++block) {
      const MachineBlock& code = graph_.blocks()[block];
      for (std::uint32_t i = code.begin; i < code.end; ++i)
        if (instruction(i).kind == Kind::Open && instruction(i).target && stands_[block] != none)
          opened_.emplace(*instruction(i).target, stands_[block]);
    }
  }

  bool isJump(int block) const {
    const MachineBlock& code = graph_.blocks()[std::size_t(block)];
    const Instruction& first = instruction(code.begin);
    return code.end == code.begin + 1 && first.kind == Kind::Branch && !first.conditional;
  }

  /// The unit that comes after a place where lanes wait, and is none of `others`: not in a loop
  /// before it, and of a loop behind it the first.
  int behind(int block, const std::set<int>& others = {}) const {
    const unsigned depth = graph_.depth(block);
    for (int steps = 0; steps < 4; ++steps) {
      const std::vector<int>& after = graph_.blocks()[std::size_t(block)].after;
      if (after.size() != 1)
        return none;
      block = after.front();
      const int unit = stands_[std::size_t(block)];
      if (isWait(block) || isJump(block) || unit == none || others.contains(unit))
        continue;
      if (graph_.depth(block) > depth)
        return units_.firstOfLoop(unit, depth + 1);
      if (depthOf(unit) <= depth)
        return comesFrom(block, units_[unit].group) ? units_[unit].group : unit;
    }
    return none;
  }

  /// Two branches may have become one jump (`a && b`): then their block runs with the first.
  int takeHead(int unit, int block) {
    const Instruction& last = instruction(graph_.blocks()[std::size_t(block)].end - 1);
    const bool isOneJump = last.kind == Kind::Branch && unit != none && kept_.contains(unit);
    for (int steps = 0; unit != none && steps < units_.size(); ++steps) { // dead code goes round
      const llvm::BasicBlock* before = units_[unit].first().getSinglePredecessor();
      const int above = before == nullptr ? none : units_.endingWith(before);
      if (above == none || kept_.contains(above) ||
          before->getTerminator()->getNumSuccessors() < 2 ||
          units_[above].depth != units_[unit].depth || !comesFrom(block, above))
        break;
      if (isOneJump)
        merged_.insert({unit, above});
      unit = above;
    }
    return unit;
  }

  /// Instructions of a loop that was unrolled to its end may stand among those around it, which
  /// run once: these go first.
  int find(int block) const {
    const MachineBlock& code = graph_.blocks()[std::size_t(block)];
    const unsigned depth = graph_.depth(block);
    std::map<int, int> votes, atDepth;
    for (std::uint32_t i = code.begin; i < code.end; ++i)
      if (const int unit = units_.at(instruction(i).line); unit != none) {
        const int weight = instruction(i).kind == Kind::Memory ? weightOfMemory : 1;
        votes[unit] += weight;
        if (units_[unit].depth == depth)
          atDepth[unit] += weight;
      }
    const Instruction& last = instruction(code.end - 1);
    if (const int unit = units_.at(last.line);
        (last.kind == Kind::Branch || last.kind == Kind::Table || last.kind == Kind::Exit) &&
        last.conditional && units_.isEnd(unit, last.line) &&
        (atDepth.empty() ? depthOf(unit) : units_[unit].depth) == depth)
      return unit;
    const std::map<int, int>& from = atDepth.empty() ? votes : atDepth;
    int best = none;
    for (const auto& [unit, count] : from)
      if (best == none || count > from.at(best))
        best = unit;
    return best;
  }

  const Units& units_;
  const std::set<int>& kept_; ///< units whose branch is a jump
  const MachineGraph& graph_;
  std::map<const llvm::Cycle*, unsigned> deepest_;
  std::vector<int> stands_;                  ///< the unit of each block
  std::vector<bool> isInside_;               ///< of blocks that wait: in the middle of a unit
  std::map<int, std::vector<int>> blocksOf_; ///< by group
  std::multimap<std::uint32_t, int> opened_; ///< units with BSSY, by the place behind the BSYNC
  std::map<int, ptx::Meeting> meetings_;
  std::set<std::pair<int, int>> announcements_;
  std::map<int, int> merged_;
};

/// Puts what the machine code of one graph says into units and marks. `isSet` are the units whose
/// length is known: a function's own machine code knows better than what it was inlined into.
void take(const GraphMatcher& matcher, llvm::StringRef routine, Units& units,
          std::vector<bool>& isSet, std::map<int, int>& merged) {
  merged.insert(matcher.merged().begin(), matcher.merged().end());
  for (const auto& [unit, blocks] : matcher.blocksOf()) {
    const bool isOwn = units[unit].function().getName() == routine;
    if (isSet[std::size_t(unit)] && !isOwn)
      continue;
    isSet[std::size_t(unit)] = true;
    auto [length, plan] = matcher.matchedFor(unit);
    units[unit].lines.length = length;
    units[unit].plan = std::move(plan);
  }
  for (const auto& [unit, meeting] : matcher.meetings())
    ptx::setMark(*units[unit].begin, {.meeting = meeting});
  for (const auto& [by, unit] : matcher.announcements()) {
    llvm::IRBuilder<> builder(units[by].end);
    ptx::addMark(builder,
                 {.firstLine = units[unit].lines.firstLine, .lastLine = ptx::BlockMark::announces});
  }
}

/// Lengths and jumps go into the marks at the ends. Where no machine code is known of a function,
/// its marks go.
void writeMarks(Units& units, const std::set<int>& kept, const std::vector<bool>& isSet) {
  std::set<const llvm::Function*> found;
  for (int unit = 0; unit < units.size(); ++unit)
    if (isSet[std::size_t(unit)])
      found.insert(&units[unit].function());
  for (int unit = 0; unit < units.size(); ++unit) {
    Unit& each = units[unit];
    if (!found.contains(&each.function())) {
      each.begin->eraseFromParent();
      each.end->eraseFromParent();
      continue;
    }
    each.lines.length = each.lines.length.value_or(0);
    each.lines.isJump = kept.contains(unit);
    ptx::setMark(*each.end, each.lines);
    ptx::setPlan(*each.begin, each.plan);
  }
}

/// A branch as where it goes.
struct TwoWays {
  explicit TwoWays(llvm::BasicBlock& block)
      : branch(llvm::dyn_cast<llvm::BranchInst>(block.getTerminator())) {}

  explicit operator bool() const { return branch != nullptr && branch->isConditional(); }
  bool goesTo(const llvm::BasicBlock* to) const {
    return branch->getSuccessor(0) == to || branch->getSuccessor(1) == to;
  }
  llvm::BasicBlock* otherThan(const llvm::BasicBlock* to) const {
    return branch->getSuccessor(branch->getSuccessor(0) == to ? 1 : 0);
  }
  /// Whether it goes to one of both.
  llvm::Value* condition(llvm::IRBuilder<>& builder, const llvm::BasicBlock* to) const {
    llvm::Value* found = branch->getCondition();
    return branch->getSuccessor(0) == to ? found : builder.CreateNot(found);
  }

  llvm::BranchInst* branch;
};

/// Whether an instruction is an operation of PTX that gives a number and does nothing else.
bool isOperation(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName().starts_with(ptx::operationPrefix) &&
         callee->doesNotAccessMemory() && !callee->isConvergent();
}

/// What a block does may be done although its branch would not come to it.
bool mayRunAlways(const llvm::BasicBlock& block) {
  return llvm::all_of(block, [](const llvm::Instruction& each) {
    return isOperation(each) || each.isTerminator() || ptx::markOf(each) ||
           each.isDebugOrPseudoInst() || llvm::isSafeToSpeculativelyExecute(&each);
  });
}

/// Two branches of PTX that are one jump of the machine (`a || b`) become one: their lanes part
/// once, and those that go to the same place do so together.
///
///   above: br a, X, unit                above: br a || b, X, Y
///   unit:  br b, X, Y            ==>
void mergeBranches(Unit& above, Unit& unit) {
  llvm::BasicBlock &first = above.last(), &second = unit.first();
  const TwoWays one(first), other(second);
  if (&second != &unit.last() || second.getSinglePredecessor() != &first || !one || !other ||
      unit.lines.length.value_or(0) > 0 || !mayRunAlways(second) ||
      llvm::isa<llvm::PHINode>(second.front()))
    return;
  llvm::BasicBlock* common = one.otherThan(&second);
  if (common == &second || !other.goesTo(common) || other.otherThan(common) == common)
    return;
  llvm::BasicBlock* rest = other.otherThan(common);
  for (llvm::Instruction& each : llvm::make_early_inc_range(second))
    if (const auto mark = ptx::markOf(each); mark && !mark->isAnnouncement())
      each.eraseFromParent();
    else if (!each.isTerminator())
      each.moveBefore(first, mark ? above.end->getIterator() : one.branch->getIterator());
  llvm::IRBuilder<> builder(one.branch);
  llvm::Value* early = one.condition(builder, common);
  llvm::Value* both = builder.CreateLogicalOr(early, other.condition(builder, common));
  for (llvm::PHINode& phi : common->phis()) {
    llvm::Value *from = phi.getIncomingValueForBlock(&first),
                *later = phi.getIncomingValueForBlock(&second);
    if (from != later)
      phi.setIncomingValueForBlock(&first, builder.CreateSelect(early, from, later));
    phi.removeIncomingValue(&second);
  }
  rest->replacePhiUsesWith(&second, &first);
  llvm::BranchInst* made = builder.CreateCondBr(both, common, rest);
  made->setDebugLoc(one.branch->getDebugLoc());
  one.branch->eraseFromParent();
  second.eraseFromParent();
  above.lines.isJump = true;
  ptx::setMark(*above.end, above.lines);
}

} // namespace

void matchBlocks(llvm::Module& module, std::string_view ptx, const std::vector<Routine>& routines) {
  Units units(module, ptx);
  // Step 1
  const std::set<int> kept = keptBranches(units, routines);
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      Predication(function, units, kept);
  // Steps 2 to 4
  std::vector<bool> isSet(std::size_t(units.size()), false);
  std::map<int, int> merged;
  for (const Routine& routine : routines)
    for (const std::uint32_t entry : routine.entries) {
      if (entry >= routine.code.size() ||
          std::ranges::find(routine.helpers, entry) != routine.helpers.end())
        continue;
      const std::set<std::uint32_t> cuts = findCuts(units, MachineGraph(routine, entry));
      const MachineGraph graph(routine, entry, cuts);
      take(GraphMatcher(units, kept, graph), routine.name, units, isSet, merged);
    }
  writeMarks(units, kept, isSet);
  for (auto pair = merged.rbegin(); pair != merged.rend(); ++pair) // the last of a chain first
    if (isSet[std::size_t(pair->second)])
      mergeBranches(units[pair->second], units[pair->first]);
}

} // namespace heddle::sass
