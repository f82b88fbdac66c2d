// SPDX-License-Identifier: Apache-2.0
//
// Shapes only get worse from round to round: a phi joins what it was with what comes in. A branch
// whose condition differs makes the phis at its join differ, and so what leaves a loop there.
// Before the join its lanes do not run together, so that nothing there differs because of it.
#include "analysis/ThreadDependence.h"

#include "analysis/ClusterRegisters.h"
#include "analysis/SharedAddresses.h"
#include "support/LaneMask.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

namespace Intrinsic = llvm::Intrinsic;

unsigned bitsOf(const llvm::Type& type) {
  return type.isIntegerTy() ? type.getIntegerBitWidth() : 0;
}

std::vector<bool> reachedBefore(const ControlFlow& flow, int from, int join) {
  std::vector<bool> reached(flow.blocks.size(), false);
  std::vector<int> work;
  const auto visit = [&](int block) {
    if (block == join || reached[std::size_t(block)])
      return;
    reached[std::size_t(block)] = true;
    work.push_back(block);
  };
  visit(from);
  while (!work.empty()) {
    const int block = work.back();
    work.pop_back();
    for (const int after : flow.successors[std::size_t(block)])
      visit(after);
  }
  return reached;
}

/// What a register that is the same for many threads holds; nothing for the others.
std::optional<LaneShape> specialRegister(Intrinsic::ID id) {
  if (isClusterRegister(id))
    return LaneShape::uniform();
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return LaneShape::threadIndex();
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_warpid:
    return LaneShape::warp();
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return LaneShape::laneIndex();
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return LaneShape::constant(warpSize);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return LaneShape::uniform(warpSize);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_smid:
  case Intrinsic::nvvm_read_ptx_sreg_nsmid:
  case Intrinsic::nvvm_read_ptx_sreg_gridid:
  case Intrinsic::nvvm_barrier0_and: // what a barrier votes, it tells all threads
  case Intrinsic::nvvm_barrier0_or:
  case Intrinsic::nvvm_barrier0_popc:
    return LaneShape::uniform();
  case Intrinsic::nvvm_vote_ballot_sync:
  case Intrinsic::nvvm_vote_any_sync:
  case Intrinsic::nvvm_vote_all_sync:
  case Intrinsic::nvvm_vote_uni_sync:
  case Intrinsic::nvvm_activemask:
    return LaneShape::warp();
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    return LaneShape::of(Spread::Lanes);
  default:
    return std::nullopt;
  }
}

bool reducesInWarp(llvm::StringRef name) {
  return name.starts_with("llvm.nvvm.redux.sync");
}

bool isIndexedShuffle(llvm::StringRef name) {
  return name.starts_with("llvm.nvvm.shfl.sync.idx");
}

bool takesLeastOrMost(llvm::StringRef name) {
  return name.contains("min") || name.contains("max");
}

} // namespace

ThreadDependence::ThreadDependence(llvm::Function& kernel)
    : flow_(kernel), meeting_(flow_.blocks.size(), Spread::Uniform) {
  findChoices(findPostDominators(flow_)); // threads that return early are met at the end
  while (spreadOnce()) {
  }
}

void ThreadDependence::findChoices(const std::vector<int>& joins) {
  for (std::size_t block = 0; block < flow_.blocks.size(); ++block) {
    const llvm::Instruction* end = flow_.blocks[block]->getTerminator();
    const llvm::Value* condition = nullptr;
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end))
      condition = branch->isConditional() ? branch->getCondition() : nullptr;
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end))
      condition = choice->getCondition();
    if (condition == nullptr || llvm::isa<llvm::Constant>(condition))
      continue;
    Choice choice{int(block), end, condition, joins[block], {}};
    for (const int after : flow_.successors[block])
      choice.sides.push_back(reachedBefore(flow_, after, joins[block]));
    choices_.push_back(std::move(choice));
  }
}

bool ThreadDependence::isKnown(const llvm::Value* value) const {
  return !llvm::isa<llvm::Instruction>(value) || shapes_.contains(value);
}

LaneShape ThreadDependence::of(const llvm::Value* value) const {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
    if (number->getBitWidth() <= 64)
      return LaneShape::constant(number->getSExtValue());
  const auto found = shapes_.find(value);
  return found == shapes_.end() ? LaneShape::uniform() : found->second;
}

bool ThreadDependence::spreadOnce() {
  bool changed = false;
  for (const llvm::BasicBlock* block : flow_.blocks)
    for (const llvm::Instruction& instruction : *block) {
      if (instruction.getType()->isVoidTy())
        continue;
      LaneShape shape = transfer(instruction);
      const auto found = shapes_.find(&instruction);
      if (found != shapes_.end() && llvm::isa<llvm::PHINode>(instruction))
        shape = shape.joined(found->second);
      if (found != shapes_.end() && found->second == shape)
        continue;
      shapes_[&instruction] = shape;
      changed = true;
    }
  for (const Choice& choice : choices_) {
    const Spread spread = of(choice.condition).spread();
    if (choice.join != noBlock && spread > meeting_[std::size_t(choice.join)]) {
      meeting_[std::size_t(choice.join)] = spread;
      changed = true;
    }
  }
  return changed;
}

Spread ThreadDependence::mostOf(const llvm::User& user) const {
  Spread most = Spread::Uniform;
  for (const llvm::Value* operand : user.operands())
    if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(operand))
      most = std::max(most, of(operand).spread());
  return most;
}

LaneShape ThreadDependence::transfer(const llvm::Instruction& instruction) const {
  const auto operand = [&](unsigned index) { return of(instruction.getOperand(index)); };
  const auto bits = [&](unsigned index) {
    return bitsOf(*instruction.getOperand(index)->getType());
  };
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return ofPhi(*phi);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return ofCall(*call);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return ofLoad(*load->getPointerOperand());
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return LaneShape::of(Spread::Data);
  if (llvm::isa<llvm::BinaryOperator>(instruction))
    return LaneShape::binary(instruction.getOpcode(), operand(0), operand(1), bits(0));
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return LaneShape::compare(compare->getPredicate(), operand(0), operand(1), bits(0));
  if (llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(instruction))
    return LaneShape::cast(instruction.getOpcode(), operand(0), bits(0),
                           bitsOf(*instruction.getType()));
  if (llvm::isa<llvm::SelectInst>(instruction))
    return LaneShape::select(operand(0), operand(1), operand(2));
  if (llvm::isa<llvm::AllocaInst>(instruction))
    return LaneShape::uniform();
  if (instruction.mayReadOrWriteMemory())
    return LaneShape::of(Spread::Unknown);
  return LaneShape::of(mostOf(instruction)); // casts, addresses, comparisons of floats
}

LaneShape ThreadDependence::ofPhi(const llvm::PHINode& phi) const {
  std::optional<LaneShape> shape;
  for (const llvm::Value* value : phi.incoming_values())
    if (value != &phi && isKnown(value))
      shape = shape ? shape->joined(of(value)) : of(value);
  const bool isOneValue = phi.getNumIncomingValues() > 1 && phi.hasConstantValue() != nullptr;
  const Spread meets = meeting_[std::size_t(flow_.number(phi.getParent()))];
  return shape.value_or(LaneShape::uniform()).raised(isOneValue ? Spread::Uniform : meets);
}

/// Variables in local memory could not be followed.
LaneShape ThreadDependence::ofLoad(const llvm::Value& address) const {
  if (addressSpaceOf(address) == AddressSpace::Local)
    return LaneShape::of(Spread::Unknown);
  const Spread spread = of(&address).spread();
  return LaneShape::of(spread <= Spread::Warp || spread == Spread::Unknown ? spread : Spread::Data);
}

LaneShape ThreadDependence::ofCall(const llvm::CallInst& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration())
    return LaneShape::of(Spread::Unknown);
  if (const auto shape = specialRegister(call.getIntrinsicID()))
    return *shape;
  const llvm::StringRef name = callee->getName();
  const Spread most = mostOf(call);
  if (reducesInWarp(name))
    return LaneShape::warp();
  if (isIndexedShuffle(name)) { // a broadcast where all lanes ask for the same one
    const Spread value = of(call.getArgOperand(1)).spread();
    const bool same = of(call.getArgOperand(2)).spread() <= Spread::Warp;
    return LaneShape::of(value <= Spread::Warp ? value : same ? Spread::Warp : Spread::Data);
  }
  if (name.starts_with("llvm.nvvm.shfl") || name.starts_with("llvm.nvvm.match"))
    return LaneShape::of(most <= Spread::Warp ? most : Spread::Data);
  if (name.starts_with("llvm.nvvm.ldg"))
    return ofLoad(*call.getArgOperand(0));
  const bool isFunction = name.starts_with("__nv_") || call.doesNotAccessMemory();
  if (!isFunction || name.starts_with("llvm.nvvm.read.ptx.sreg")) // clocks
    return LaneShape::of(Spread::Data);
  return LaneShape::of(most == Spread::Few && !takesLeastOrMost(name) ? Spread::Lanes : most);
}

} // namespace heddle::analysis
