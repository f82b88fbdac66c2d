// SPDX-License-Identifier: Apache-2.0
//
// Everything counts as uniform until shown otherwise; divergence spreads from its sources through
// operands and divergent branches until nothing changes.
#include "analysis/Uniformity.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::analysis {
namespace {

/// Intrinsics without side effects whose result is the same for lanes with the same operands.
bool isFunctionOfOperands(const llvm::CallInst& call) {
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
    return true;
  default:
    return call.getIntrinsicID() != llvm::Intrinsic::not_intrinsic &&
           llvm::isTriviallyVectorizable(call.getIntrinsicID());
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
    return !load->getType()->isAggregateType() && !load->getType()->isVectorTy();
  return false;
}

std::vector<bool> reachableBefore(const ControlFlow& flow, int from, int join) {
  std::vector<bool> reached(flow.blocks.size(), false);
  if (from == join)
    return reached;
  std::vector<int> work = {from};
  reached[std::size_t(from)] = true;
  while (!work.empty()) {
    const int block = work.back();
    work.pop_back();
    for (const int after : flow.successors[std::size_t(block)])
      if (after != join && !reached[std::size_t(after)]) {
        reached[std::size_t(after)] = true;
        work.push_back(after);
      }
  }
  return reached;
}

} // namespace

Uniformity::Uniformity(const ControlFlow& flow, const std::vector<int>& joins, bool isKernel)
    : flow_(flow), joins_(joins), isKernel_(isKernel), runsPerSide_(flow.blocks.size(), false),
      isJoin_(flow.blocks.size(), false), branchVisited_(flow.blocks.size(), false) {
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

bool Uniformity::divergesByItself(const llvm::Instruction& instruction) const {
  if (isSharedAtOneTime(instruction))
    return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return !isFunctionOfOperands(*call);
  return llvm::isa<llvm::AllocaInst>(instruction) || instruction.mayReadOrWriteMemory() ||
         instruction.getType()->isAggregateType() || instruction.getType()->isVectorTy();
}

/// The branch of a block has turned out divergent: marks the blocks that run once for each side.
void Uniformity::visitBranch(int block) {
  const int join = joins_[std::size_t(block)];
  const std::vector<int>& after = flow_.successors[std::size_t(block)];
  const std::vector<bool> first = reachableBefore(flow_, after[0], join);
  const std::vector<bool> second = reachableBefore(flow_, after[1], join);
  for (std::size_t i = 0; i < runsPerSide_.size(); ++i)
    if (first[i] && second[i])
      runsPerSide_[i] = true;
  if (join != noBlock)
    isJoin_[std::size_t(join)] = true;
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
      const bool divergent = divergesByItself(instruction) ||
                             (runsPerSide_[number] && isSharedAtOneTime(instruction)) ||
                             (isJoin_[number] && llvm::isa<llvm::PHINode>(instruction)) ||
                             hasDivergentOperand(instruction);
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
