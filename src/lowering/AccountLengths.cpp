// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. what each block executes by itself, with the copies for the phis behind it
//   2. the branches that may part lanes, and the places where these meet: BSSY, BSYNC, BRA
#include "lowering/AccountLengths.h"

#include "lowering/MachineLength.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace heddle::lowering {
namespace {

using analysis::ControlFlow;
using analysis::Joins;
using analysis::noBlock;
using analysis::noLevel;

class LengthFinder {
public:
  LengthFinder(const ControlFlow& flow, const Joins& joins, bool isKernel,
               llvm::function_ref<bool(const llvm::Value&)> isUniform)
      : flow_(flow), joins_(joins), isKernel_(isKernel), isUniform_(isUniform),
        parts_(flow.blocks.size(), false), isMeeting_(flow.blocks.size(), false),
        function_(*flow.blocks.front()->getParent()) {}

  AccountLengths find() {
    countInstructions(); // Step 1
    findMeetings();      // Step 2
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      if (parts_[std::size_t(block)] && startsRegion(block))
        ++result_[std::size_t(block)]; // BSSY
      addJump(block);
    }
    return {.blocks = result_,
            .edges = std::vector<std::array<std::uint32_t, 2>>(result_.size()),
            .instructions = std::move(instructions_)};
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
      std::vector<std::uint32_t>& own = instructions_.emplace_back();
      for (const llvm::Instruction& instruction : *flow_.blocks[std::size_t(block)]) {
        own.push_back(std::uint32_t(machineLength(instruction, function_, isUniform_)));
        length += own.back();
      }
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
          place = place == nullptr ? block
                                   : function_.dominators.findNearestCommonDominator(place, block);
      }
      if (place == nullptr)
        continue;
      const int level = joins_.loopOf(flow_.number(place));
      while (level > 0 && joins_.contains(level, flow_.number(place)))
        place = function_.dominators.getNode(place)->getIDom()->getBlock();
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

  bool leaves(int block) const {
    return llvm::any_of(after(block), [&](int to) { return joins_.leftBy(block, to) != noLevel; });
  }

  void findMeetings() {
    for (int block = 0; block < int(flow_.blocks.size()); ++block) {
      const llvm::BranchInst* branch = branchOf(block);
      parts_[std::size_t(block)] =
          branch != nullptr && branch->isConditional() && !isUniform_(*branch->getCondition());
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
    for (const auto* node =
             function_.dominators.getNode(flow_.blocks[std::size_t(block)])->getIDom();
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
    if (after(block).size() != 1)
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
      if (after(from).size() == 1)
        last = std::max(last, from);
    return block != last;
  }

  const ControlFlow& flow_;
  const Joins& joins_;
  bool isKernel_;
  llvm::function_ref<bool(const llvm::Value&)> isUniform_;
  std::vector<bool> parts_;     ///< blocks whose branch may part lanes
  std::vector<bool> isMeeting_; ///< blocks where lanes wait for others
  const FlowFacts function_;
  std::vector<std::uint32_t> result_;
  std::vector<std::vector<std::uint32_t>> instructions_;
};

} // namespace

AccountLengths modelLengths(const analysis::ControlFlow& flow, const analysis::Joins& joins,
                            bool isKernel, llvm::function_ref<bool(const llvm::Value&)> isUniform) {
  return LengthFinder(flow, joins, isKernel, isUniform).find();
}

} // namespace heddle::lowering
