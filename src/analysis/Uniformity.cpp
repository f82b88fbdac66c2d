// SPDX-License-Identifier: Apache-2.0
//
// Everything counts as uniform until shown otherwise; divergence spreads from its sources through
// operands and divergent branches until nothing changes.
#include "analysis/Uniformity.h"

#include "analysis/ClusterRegisters.h"
#include "ptx/ReadPtx.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::analysis {
namespace {

/// Intrinsics without side effects whose result is the same for lanes with the same operands.
bool isFunctionOfOperands(const llvm::CallInst& call) {
  if (isClusterRegister(call.getIntrinsicID()))
    return true;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_smid: // a block stays where it is
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nsmid:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_gridid:
    return true;
  default:
    if (call.getIntrinsicID() == llvm::Intrinsic::not_intrinsic) {
      const llvm::Function* callee = call.getCalledFunction();
      return callee != nullptr && callee->getName().starts_with(ptx::operationPrefix);
    }
    return llvm::isTriviallyVectorizable(call.getIntrinsicID());
  }
}

/// Votes tell all lanes the same, whatever each one says.
bool isVote(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_vote_ballot_sync:
  case llvm::Intrinsic::nvvm_vote_any_sync:
  case llvm::Intrinsic::nvvm_vote_all_sync:
  case llvm::Intrinsic::nvvm_activemask:
    return true;
  default:
    return false;
  }
}

/// Whether an instruction gives all lanes that execute it together one value, provided its operands
/// do, but another value at another time.
bool isSharedAtOneTime(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || isVote(instruction))
    return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && !load->getType()->isAggregateType() &&
           !load->getType()->isVectorTy();
  return false;
}

/// Whether lanes may wait here for what others do: at barriers and votes, or for memory to change.
bool waitsForOthers(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->isSimple();
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return !instruction.use_empty();
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr)
    return call != nullptr;
  return !callee->isDeclaration() || callee->getName().contains(".sync") ||
         callee->getName().contains("barrier") || callee->getName().contains("nanosleep");
}

/// The block where a use needs its value: a phi reads it at the end of the block it comes from.
const llvm::BasicBlock* placeOf(const llvm::Use& use) {
  const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
}

} // namespace

Uniformity::Uniformity(const ControlFlow& flow, const Joins& joins, bool isKernel)
    : flow_(flow), joins_(joins), isKernel_(isKernel), branchVisited_(flow.blocks.size(), false),
      levelLeft_(joins.levels.size(), false) {
  findLiveValues();
  while (spreadOnce()) {
  }
}

bool Uniformity::isUniform(const llvm::Value* value) const {
  if (llvm::isa<llvm::Constant>(value))
    return true;
  if (llvm::isa<llvm::Argument>(value))
    return isKernel_;
  return llvm::isa<llvm::Instruction>(value) && !divergent_.contains(value);
}

/// For each value, the blocks from its uses back to its definition. A phi is written on the way to
/// its block, so lanes that wait there need it.
void Uniformity::findLiveValues() {
  for (const llvm::BasicBlock* block : flow_.blocks)
    for (const llvm::Instruction& instruction : *block)
      if (llvm::isa<llvm::PHINode>(instruction) ||
          llvm::any_of(instruction.uses(),
                       [&](const llvm::Use& use) { return placeOf(use) != block; }))
        numbers_.try_emplace(&instruction, numbers_.size());
  live_.assign(flow_.blocks.size(), llvm::BitVector(numbers_.size()));
  for (const auto& [value, number] : numbers_) {
    const int home = flow_.number(llvm::cast<llvm::Instruction>(value)->getParent());
    if (llvm::isa<llvm::PHINode>(value))
      live_[std::size_t(home)].set(number);
    std::vector<int> work;
    const auto need = [&](int block) {
      if (block == home || live_[std::size_t(block)].test(number))
        return;
      live_[std::size_t(block)].set(number);
      work.push_back(block);
    };
    for (const llvm::Use& use : value->uses())
      if (const int block = flow_.number(placeOf(use)); block < int(flow_.blocks.size()))
        need(block);
    while (!work.empty()) {
      const int block = work.back();
      work.pop_back();
      for (const int before : flow_.predecessors[std::size_t(block)])
        need(before);
    }
  }
}

bool Uniformity::divergesByItself(const llvm::Instruction& instruction) const {
  if (isSharedAtOneTime(instruction))
    return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return !isFunctionOfOperands(*call);
  return llvm::isa<llvm::AllocaInst>(instruction) || instruction.mayReadOrWriteMemory() ||
         instruction.getType()->isAggregateType() || instruction.getType()->isVectorTy();
}

/// Where lanes of a level stop that leave it or a level around it.
Uniformity::Blocks Uniformity::stopsOf(int level) const {
  Blocks stops(flow_.blocks.size(), false);
  for (; level > 0; level = joins_.levels[std::size_t(level)].parent)
    if (const int join = joins_.levels[std::size_t(level)].exitJoin; join != noBlock)
      stops[std::size_t(join)] = true;
  return stops;
}

/// Blocks that lanes come to from `from` before they stop.
Uniformity::Blocks Uniformity::reached(const std::vector<int>& from, const Blocks& stops) const {
  Blocks found(flow_.blocks.size(), false);
  std::vector<int> work;
  const auto visit = [&](int block) {
    if (stops[std::size_t(block)] || found[std::size_t(block)])
      return;
    found[std::size_t(block)] = true;
    work.push_back(block);
  };
  for (const int block : from)
    visit(block);
  while (!work.empty()) {
    const int block = work.back();
    work.pop_back();
    for (const int after : flow_.successors[std::size_t(block)])
      visit(after);
  }
  return found;
}

/// While some lanes run the blocks `run`, others wait who need the values `needed`: what comes out
/// otherwise there than it did before is kept lane by lane.
void Uniformity::keepApart(const Blocks& run, const llvm::BitVector& needed) {
  llvm::DenseSet<const llvm::Value*> changed;
  for (std::size_t block = 0; block < run.size(); ++block) {
    if (!run[block])
      continue;
    for (const llvm::Instruction& instruction : *flow_.blocks[block]) {
      if (!isSharedAtOneTime(instruction) &&
          !llvm::any_of(instruction.operands(),
                        [&](const auto& use) { return changed.contains(use.get()); }))
        continue;
      changed.insert(&instruction);
      if (const auto number = numbers_.find(&instruction);
          number != numbers_.end() && needed.test(number->second))
        divergent_.insert(&instruction);
    }
  }
}

/// Lanes come to a join in turns; each turn writes its phis, which those that have not come yet may
/// still need as they were (`needed`).
void Uniformity::keepPhisApart(int join, const Blocks& run, const llvm::BitVector& needed) {
  for (const llvm::PHINode& phi : flow_.blocks[std::size_t(join)]->phis()) {
    const llvm::Value* same = nullptr;
    bool differs = needed.test(numbers_.lookup(&phi));
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const int from = flow_.number(phi.getIncomingBlock(i));
      const llvm::Value* value = phi.getIncomingValue(i);
      if (from >= int(run.size()) || !run[std::size_t(from)])
        continue;
      const auto* computed = llvm::dyn_cast<llvm::Instruction>(value);
      differs = differs || (same != nullptr && same != value) ||
                (computed != nullptr && run[std::size_t(flow_.number(computed->getParent()))]);
      same = value;
    }
    if (differs)
      divergent_.insert(&phi);
  }
}

/// Marks the levels that lanes may leave which run `run` after a branch has parted them.
void Uniformity::noteLeftLevels(int branch, const Blocks& run) {
  for (std::size_t block = 0; block < run.size(); ++block)
    if (run[block] || int(block) == branch)
      for (const int after : flow_.successors[block])
        if (const int left = joins_.leftBy(int(block), after);
            left != noLevel && joins_.contains(left, branch) && !levelLeft_[std::size_t(left)]) {
          levelLeft_[std::size_t(left)] = true;
          visitLeftLevel(left);
        }
}

void Uniformity::noteWaiting(const Blocks& run) {
  for (std::size_t block = 0; block < run.size() && !mayWaitApart_; ++block)
    mayWaitApart_ = run[block] && llvm::any_of(*flow_.blocks[block], waitsForOthers);
}

/// The branch of a block has turned out divergent.
void Uniformity::visitBranch(int block) {
  const std::vector<int>& sides = flow_.successors[std::size_t(block)];
  const int join = joins_.at[std::size_t(block)];
  const int left = joins_.leftBy(flow_, block);
  Blocks stops = stopsOf(left == noLevel ? joins_.levelOf[std::size_t(block)] : left);
  if (join != noBlock)
    stops[std::size_t(join)] = true;
  Blocks both(flow_.blocks.size(), false);
  llvm::BitVector neededBefore(numbers_.size());
  for (const std::size_t side : {0u, 1u}) {
    const Blocks run = reached({sides[side]}, stops);
    llvm::BitVector needed = live_[std::size_t(sides[1 - side])];
    if (join != noBlock)
      needed |= live_[std::size_t(join)];
    keepApart(run, needed);
    if (sides[side] != join)
      neededBefore |= live_[std::size_t(sides[side])];
    for (std::size_t i = 0; i < run.size(); ++i)
      both[i] = both[i] || run[i];
  }
  noteWaiting(both);
  noteLeftLevels(block, both);
  both[std::size_t(block)] = true;
  if (join != noBlock)
    keepPhisApart(join, both, neededBefore);
}

/// Some lanes leave a level while others stay.
void Uniformity::visitLeftLevel(int level) {
  const Level& left = joins_.levels[std::size_t(level)];
  std::vector<int> inside;
  llvm::BitVector needed(numbers_.size()), neededInside(numbers_.size());
  for (int block = 0; block < int(flow_.blocks.size()); ++block) {
    if (!joins_.contains(level, block))
      continue;
    inside.push_back(block);
    neededInside |= live_[std::size_t(block)];
    for (const int after : flow_.successors[std::size_t(block)])
      if (!joins_.contains(level, after))
        needed |= live_[std::size_t(after)];
  }
  if (left.exitJoin != noBlock)
    needed |= live_[std::size_t(left.exitJoin)];
  const Blocks run = reached(inside, stopsOf(level));
  noteWaiting(run);
  keepApart(run, needed);
  if (left.exitJoin != noBlock)
    keepPhisApart(left.exitJoin, run, neededInside);
}

bool Uniformity::hasDivergentOperand(const llvm::Instruction& instruction) const {
  if (isVote(instruction)) // only its mask counts
    return instruction.getNumOperands() > 2 && !isUniform(instruction.getOperand(0));
  for (const llvm::Value* operand : instruction.operands())
    if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(operand) && !isUniform(operand))
      return true;
  return false;
}

bool Uniformity::spreadOnce() {
  bool changed = false;
  for (std::size_t number = 0; number < flow_.blocks.size(); ++number) {
    for (const llvm::Instruction& instruction : *flow_.blocks[number]) {
      if (divergent_.contains(&instruction))
        continue;
      const bool divergent = divergesByItself(instruction) || hasDivergentOperand(instruction) ||
                             (mayWaitApart_ && isSharedAtOneTime(instruction));
      if (divergent) {
        divergent_.insert(&instruction);
        changed = true;
      }
    }
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(flow_.blocks[number]->getTerminator());
    if (branch != nullptr && branch->isConditional() && !branchVisited_[number] &&
        !isUniform(branch->getCondition())) {
      branchVisited_[number] = true;
      visitBranch(int(number));
      changed = true;
    }
  }
  return changed;
}

} // namespace heddle::analysis
