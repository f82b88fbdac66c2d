// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. what each block executes by itself, with the copies for the phis behind it
//   2. short branches: what their sides execute counts with them, from the inside out
//   3. the branches that may part lanes, and the places where these meet: BSSY, BSYNC, BRA
#include "analysis/AccountLengths.h"

#include "analysis/MachineLength.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <utility>

namespace heddle::analysis {
namespace {

/// Where ptxas rather jumps: seen in machine code of short branches.
constexpr int longestSides = 10;

/// What all lanes do together, or what has a place of its own, is not switched off.
bool mustBeJumpedOver(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || instruction.isDebugOrPseudoInst())
    return false;
  const llvm::Function* callee = call->getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration())
    return true;
  const llvm::StringRef name = callee->getName();
  return name.contains(".sync") || name.contains("barrier") || name.contains("membar") ||
         name.starts_with("heddle.");
}

class LengthFinder {
public:
  LengthFinder(const ControlFlow& flow, const Joins& joins, bool isKernel,
               llvm::function_ref<bool(const llvm::Value&)> isUniform)
      : flow_(flow), joins_(joins), isKernel_(isKernel), isUniform_(isUniform),
        isSide_(flow.blocks.size(), false), isPredicated_(flow.blocks.size(), false),
        parts_(flow.blocks.size(), false), isMeeting_(flow.blocks.size(), false),
        dominators_(*flow.blocks.front()->getParent()) {}

  std::vector<std::uint32_t> find() {
    countInstructions(); // Step 1
    predicate();         // Step 2
    findMeetings();      // Step 3
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      if (parts_[std::size_t(block)] && startsRegion(block))
        ++result_[std::size_t(block)]; // BSSY
      addJump(block);
    }
    return result_;
  }

private:
  const llvm::BranchInst* branchOf(int block) const {
    return llvm::dyn_cast<llvm::BranchInst>(flow_.blocks[std::size_t(block)]->getTerminator());
  }
  const std::vector<int>& after(int block) const { return flow_.successors[std::size_t(block)]; }
  const std::vector<int>& before(int block) const { return flow_.predecessors[std::size_t(block)]; }
  bool isHeader(int block) const {
    const int level = joins_.loopOf(block);
    return level > 0 && (joins_.levels[std::size_t(level)].header == block ||
                         joins_.levels[std::size_t(level)].entry == block);
  }

  void countInstructions() {
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      std::uint32_t length = 0;
      for (const llvm::Instruction& instruction : *flow_.blocks[std::size_t(block)])
        length += std::uint32_t(machineLength(instruction, isUniform_));
      for (const int to : after(block))
        if (!leavesBy(block, to))
          length += std::uint32_t(copies(block, to));
      result_.push_back(length);
    }
    countArguments();
  }

  bool leavesBy(int block, int to) const {
    return after(block).size() > 1 && joins_.leftBy(block, to) != noLevel;
  }

  /// A kernel's arguments are constants of the machine: each is loaded where it is needed first, in
  /// front of the loop that needs it. At the beginning the stack's and the memory's own are, too.
  void countArguments() {
    const llvm::Function& function = *flow_.blocks.front()->getParent();
    if (!isKernel_)
      return;
    result_.front() += 2;
    for (const llvm::Argument& argument : function.args()) {
      llvm::BasicBlock* place = nullptr;
      for (const llvm::Use& use : argument.uses()) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        llvm::BasicBlock* block = phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
        if (flow_.number(block) < int(flow_.blocks.size()))
          place = place == nullptr ? block : dominators_.findNearestCommonDominator(place, block);
      }
      if (place == nullptr)
        continue;
      const int level = joins_.loopOf(flow_.number(place));
      while (level > 0 && joins_.contains(level, flow_.number(place)))
        place = dominators_.getNode(place)->getIDom()->getBlock();
      ++result_[std::size_t(flow_.number(place))];
    }
  }

  /// Phis of an edge's target that need an instruction of their own.
  int copies(int from, int to) const {
    const llvm::BasicBlock* source = flow_.blocks[std::size_t(from)];
    int count = 0;
    llvm::SmallPtrSet<const llvm::Value*, 8> passed;
    for (const llvm::PHINode& phi : flow_.blocks[std::size_t(to)]->phis()) {
      const llvm::Value* value = phi.getIncomingValueForBlock(source);
      if (phi.use_empty() || llvm::isa<llvm::UndefValue>(value) || phi.getType()->isIntegerTy(1))
        continue;
      const auto* made = llvm::dyn_cast<llvm::Instruction>(value);
      const int words = phi.getType()->isIntegerTy(64) || phi.getType()->isDoubleTy() ||
                                phi.getType()->isPointerTy()
                            ? 2
                            : 1;
      if (made == nullptr || !passed.insert(value).second)
        count += words;
    }
    return count;
  }

  /// A sequence of blocks that has become one: the last of them.
  int tailOf(int block) const { return tails_[std::size_t(block)]; }
  int lengthOf(int block) const { return int(result_[std::size_t(block)]); }

  bool canBeSwitchedOff(int side) const {
    return llvm::none_of(members_[std::size_t(side)], [&](int block) {
      return llvm::any_of(*flow_.blocks[std::size_t(block)], mustBeJumpedOver);
    });
  }

  /// Whether `side` is reached from `head` alone and goes on to one place.
  bool isShortSide(int head, int side) const {
    return before(side).size() == 1 && before(side).front() == head &&
           after(tailOf(side)).size() == 1 && !isHeader(side) &&
           joins_.loopOf(side) == joins_.loopOf(head) && canBeSwitchedOff(side);
  }

  void predicate() {
    tails_.resize(flow_.blocks.size());
    members_.resize(flow_.blocks.size());
    for (int block = int(flow_.blocks.size()) - 1; block >= 0; --block) {
      tails_[std::size_t(block)] = block;
      members_[std::size_t(block)] = {block};
      if (after(block).size() == 2 && after(block)[0] != after(block)[1])
        predicateBranch(block);
    }
  }

  void predicateBranch(int head) {
    const int yes = after(head)[0], no = after(head)[1];
    const bool yesIsSide = isShortSide(head, yes), noIsSide = isShortSide(head, no);
    const int behindYes = yesIsSide ? after(tailOf(yes)).front() : noBlock;
    const int behindNo = noIsSide ? after(tailOf(no)).front() : noBlock;
    std::vector<int> sides;
    int join = noBlock;
    if (yesIsSide && noIsSide && behindYes == behindNo) {
      sides = {yes, no};
      join = behindYes;
    } else if (yesIsSide && behindYes == no) {
      sides = {yes};
      join = no;
    } else if (noIsSide && behindNo == yes) {
      sides = {no};
      join = yes;
    } else {
      return;
    }
    int length = 0;
    for (const int side : sides)
      length += lengthOf(side);
    if (length > longestSides)
      return;
    isPredicated_[std::size_t(head)] = true;
    result_[std::size_t(head)] += std::uint32_t(length) - 1; // no branch
    std::vector<int>& members = members_[std::size_t(head)];
    for (const int side : sides)
      for (const int block : members_[std::size_t(side)]) {
        result_[std::size_t(block)] = 0;
        isSide_[std::size_t(block)] = true;
        members.push_back(block);
      }
    // What follows goes on in one sequence, if it can only be reached through here.
    const bool goesOn = !isHeader(join) && llvm::all_of(before(join), [&](int from) {
      return from == head || llvm::any_of(sides, [&](int side) { return tailOf(side) == from; });
    });
    if (goesOn) {
      result_[std::size_t(head)] += std::exchange(result_[std::size_t(join)], 0);
      tails_[std::size_t(head)] = tailOf(join);
      llvm::append_range(members, members_[std::size_t(join)]);
    }
  }

  bool leaves(int block) const {
    return llvm::any_of(after(block), [&](int to) { return joins_.leftBy(block, to) != noLevel; });
  }

  void findMeetings() {
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      const llvm::BranchInst* branch = branchOf(block);
      parts_[std::size_t(block)] = branch != nullptr && branch->isConditional() &&
                                   !isPredicated_[std::size_t(block)] &&
                                   !isUniform_(*branch->getCondition());
      if (parts_[std::size_t(block)] && joins_.at[std::size_t(block)] != noBlock)
        isMeeting_[std::size_t(joins_.at[std::size_t(block)])] = true;
    }
  }

  /// Whether a branch is the first one whose lanes meet at its join. Those that leave a loop have
  /// their BSSY in front of it.
  bool startsRegion(int block) const {
    const int join = joins_.at[std::size_t(block)];
    if (join == noBlock || leaves(block))
      return false;
    for (const auto* node = dominators_.getNode(flow_.blocks[std::size_t(block)])->getIDom();
         node != nullptr; node = node->getIDom()) {
      const int above = flow_.number(node->getBlock());
      if (parts_[std::size_t(above)] && joins_.at[std::size_t(above)] == join && !leaves(above))
        return false;
    }
    return true;
  }

  /// What a block that goes to one place executes to get there. Lanes that come to a join from the
  /// branch itself execute its BSYNC, too; that is not counted.
  void addJump(int block) {
    if (isSide_[std::size_t(block)] || after(block).size() != 1)
      return;
    const int to = after(block).front();
    const bool goesBack = isHeader(to) && joins_.contains(joins_.loopOf(to), block);
    result_[std::size_t(block)] += isMeeting_[std::size_t(to)] ? 1 : 0;      // BSYNC
    result_[std::size_t(block)] += goesBack || jumpsOver(block, to) ? 1 : 0; // BRA
  }

  /// Of the blocks that go to a place and nowhere else, the last one has it behind itself.
  bool jumpsOver(int block, int to) const {
    int last = noBlock;
    for (const int from : before(to))
      if (after(from).size() == 1 && !isSide_[std::size_t(from)])
        last = std::max(last, from);
    return block != last;
  }

  const ControlFlow& flow_;
  const Joins& joins_;
  bool isKernel_;
  llvm::function_ref<bool(const llvm::Value&)> isUniform_;
  std::vector<int> tails_;                ///< of the sequences that blocks have become
  std::vector<std::vector<int>> members_; ///< and what they consist of
  std::vector<bool> isSide_;              ///< of a short branch
  std::vector<bool> isPredicated_;        ///< blocks that end in a short branch
  std::vector<bool> parts_;               ///< blocks whose branch may part lanes
  std::vector<bool> isMeeting_;           ///< blocks where lanes wait for others
  llvm::DominatorTree dominators_;
  std::vector<std::uint32_t> result_;
};

} // namespace

std::vector<std::uint32_t> accountLengths(const ControlFlow& flow, const Joins& joins,
                                          bool isKernel,
                                          llvm::function_ref<bool(const llvm::Value&)> isUniform) {
  return LengthFinder(flow, joins, isKernel, isUniform).find();
}

} // namespace heddle::analysis
