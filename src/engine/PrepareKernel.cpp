// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. plain IR instead of NVVM's special forms: copies of by-value structs, increments, barriers
//   2. scalars instead of small vectors, branches instead of switches, one return, LCSSA
//   3. compute addresses in the blocks that use them, so that accesses whose addresses differ by
//      constants are seen to
//   4. split blocks after barriers and calls, so that they are the last thing a block does, and
//      before votes, shuffles and the like, so that lanes can wait there for those they name
#include "engine/PrepareKernel.h"

#include "engine/LowerCopies.h"
#include "engine/LowerReductions.h"
#include "ir/RunPasses.h"
#include "ptx/ReadPtx.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>
#include <llvm/Transforms/Vectorize/LoadStoreVectorizer.h>

#include <algorithm>

namespace heddle::engine {
namespace {

using llvm::Intrinsic::ID;

// Step 1

/// Whether anything but loads may come of a pointer.
bool mayBeWritten(const llvm::Value& pointer) {
  return llvm::any_of(pointer.uses(), [](const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst>(user))
      return mayBeWritten(*user);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    const bool onlyReads = call != nullptr && call->isArgOperand(&use) &&
                           call->onlyReadsMemory(call->getArgOperandNo(&use));
    return !onlyReads && !llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user);
  });
}

/// The callee owns a struct that is passed by value: it gets a copy of its own. So does each thread
/// of a kernel that writes to one. All of its local memory comes before the first copy, which may
/// become a loop.
void copyByValueArguments(llvm::Function& function, bool isKernel) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  if (llvm::DISubprogram* source = function.getSubprogram())
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(function.getContext(), source->getScopeLine(), 0, source));
  for (llvm::Argument& argument : function.args()) {
    if (!argument.hasByValAttr() || (isKernel && !mayBeWritten(argument)))
      continue;
    llvm::Type* type = argument.getParamByValType();
    auto* copy = new llvm::AllocaInst(type, 0, "", entry.begin());
    copy->setAlignment(std::max(copy->getAlign(), argument.getParamAlign().valueOrOne()));
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, argument.getParamAlign(),
                         function.getParent()->getDataLayout().getTypeAllocSize(type));
    if (!isKernel)
      argument.removeAttr(llvm::Attribute::ByVal);
  }
}

/// __ldg is a load.
void lowerReadOnlyLoads(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const ID id = call == nullptr ? ID(llvm::Intrinsic::not_intrinsic) : call->getIntrinsicID();
      if (id != llvm::Intrinsic::nvvm_ldg_global_i && id != llvm::Intrinsic::nvvm_ldg_global_f &&
          id != llvm::Intrinsic::nvvm_ldg_global_p)
        continue;
      const auto alignment = llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->getZExtValue();
      llvm::IRBuilder<> builder(call);
      llvm::LoadInst* load = builder.CreateAlignedLoad(call->getType(), call->getArgOperand(0),
                                                       llvm::Align(alignment));
      call->replaceAllUsesWith(load);
      call->eraseFromParent();
    }
}

/// atomicInc and atomicDec as LLVM's own operations.
void lowerAtomics(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const ID id = call == nullptr ? ID(llvm::Intrinsic::not_intrinsic) : call->getIntrinsicID();
      if (id != llvm::Intrinsic::nvvm_atomic_load_inc_32 &&
          id != llvm::Intrinsic::nvvm_atomic_load_dec_32)
        continue;
      const auto operation = id == llvm::Intrinsic::nvvm_atomic_load_inc_32
                                 ? llvm::AtomicRMWInst::UIncWrap
                                 : llvm::AtomicRMWInst::UDecWrap;
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateAtomicRMW(operation, call->getArgOperand(0),
                                                       call->getArgOperand(1), llvm::MaybeAlign(),
                                                       llvm::AtomicOrdering::Monotonic));
      call->eraseFromParent();
    }
}

/// No instruction of a GPU asks for more than 16 bytes. CUB's storage says 32 and has 16, which
/// nvcc does not mind.
void capAlignments(llvm::Function& function) {
  const llvm::Align most(16);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      load->setAlignment(std::min(load->getAlign(), most));
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      store->setAlignment(std::min(store->getAlign(), most));
  }
}

bool isBlockBarrier(ID id) {
  return id == llvm::Intrinsic::nvvm_barrier0 || id == llvm::Intrinsic::nvvm_barrier0_popc ||
         id == llvm::Intrinsic::nvvm_barrier0_and || id == llvm::Intrinsic::nvvm_barrier0_or;
}

/// A barrier becomes a vote that ends its block, and a read of the result after it.
void lowerBarrier(llvm::CallInst& barrier) {
  llvm::Module& module = *barrier.getModule();
  const ID id = barrier.getIntrinsicID();
  llvm::IRBuilder<> builder(&barrier);
  llvm::Type* word = builder.getInt32Ty();
  const auto marker = [&](const char* name, llvm::FunctionType* type) {
    return module.getOrInsertFunction(name, type);
  };
  llvm::Value* vote = barrier.arg_size() > 0 ? barrier.getArgOperand(0) : builder.getInt32(0);
  llvm::CallInst* arrival = builder.CreateCall(
      marker(barrierName, llvm::FunctionType::get(builder.getVoidTy(), word, false)), vote);
  if (id == llvm::Intrinsic::nvvm_barrier0)
    arrival->setMetadata(plainMetadata, llvm::MDNode::get(module.getContext(), {}));
  llvm::FunctionType* reads = llvm::FunctionType::get(word, false);
  if (id != llvm::Intrinsic::nvvm_barrier0) {
    llvm::Value* result = builder.CreateCall(marker(
        id == llvm::Intrinsic::nvvm_barrier0_and ? barrierAllName : barrierCountName, reads));
    if (id == llvm::Intrinsic::nvvm_barrier0_or)
      result = builder.CreateZExt(builder.CreateIsNotNull(result), word);
    barrier.replaceAllUsesWith(result);
  }
  barrier.eraseFromParent();
}

/// A barrier with a number: the number before it.
bool isNumberedBarrier(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName().starts_with(ptx::barrierPrefix) &&
         callee->getName() != ptx::arriveName;
}

void lowerNumberedBarrier(llvm::CallInst& barrier) {
  llvm::Module& module = *barrier.getModule();
  llvm::IRBuilder<> builder(&barrier);
  llvm::Type* word = builder.getInt32Ty();
  llvm::Type* nothing = builder.getVoidTy();
  builder.CreateCall(module.getOrInsertFunction(
                         barrierNumberName, llvm::FunctionType::get(nothing, {word, word}, false)),
                     {barrier.getArgOperand(0), barrier.getArgOperand(1)});
  builder.CreateCall(
      module.getOrInsertFunction(barrierName, llvm::FunctionType::get(nothing, word, false)),
      barrier.getArgOperand(2));
  const llvm::StringRef name = barrier.getCalledFunction()->getName();
  if (!name.ends_with(".sync")) {
    llvm::Value* result = builder.CreateCall(
        module.getOrInsertFunction(name.ends_with(".and") ? barrierAllName : barrierCountName,
                                   llvm::FunctionType::get(word, false)));
    if (name.ends_with(".or"))
      result = builder.CreateZExt(builder.CreateIsNotNull(result), word);
    barrier.replaceAllUsesWith(result);
  }
  barrier.eraseFromParent();
}

void lowerBarriers(llvm::Function& function) {
  std::vector<llvm::CallInst*> barriers, numbered;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call != nullptr && isBlockBarrier(call->getIntrinsicID()))
        barriers.push_back(call);
      else if (call != nullptr && isNumberedBarrier(*call))
        numbered.push_back(call);
  for (llvm::CallInst* barrier : barriers)
    lowerBarrier(*barrier);
  for (llvm::CallInst* barrier : numbered)
    lowerNumberedBarrier(*barrier);
}

// Step 2

/// LLVM's own lowering, with the branches of one switch marked as such and given its place.
class LowerSwitches : public llvm::PassInfoMixin<LowerSwitches> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    struct Switch {
      llvm::BasicBlock* block;
      llvm::DebugLoc where;
      std::size_t targets;
    };
    std::vector<Switch> switches;
    llvm::SmallPtrSet<llvm::BasicBlock*, 32> before;
    for (llvm::BasicBlock& block : function) {
      before.insert(&block);
      if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator())) {
        llvm::SmallPtrSet<llvm::BasicBlock*, 8> targets;
        for (llvm::BasicBlock* target : llvm::successors(&block))
          if (!llvm::isa<llvm::UnreachableInst>(target->getFirstNonPHIOrDbg()))
            targets.insert(target);
        switches.push_back({&block, choice->getDebugLoc(), targets.size()});
      }
    }
    if (switches.empty())
      return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved = llvm::LowerSwitchPass().run(function, analyses);
    for (const Switch& choice : switches)
      mark(*choice.block, choice.where, choice.targets, before);
    return preserved;
  }

private:
  static void mark(llvm::BasicBlock& first, const llvm::DebugLoc& where, std::size_t targets,
                   const llvm::SmallPtrSet<llvm::BasicBlock*, 32>& before) {
    llvm::LLVMContext& context = first.getContext();
    bool outer = true;
    std::vector<llvm::BasicBlock*> work = {&first};
    llvm::SmallPtrSet<llvm::BasicBlock*, 8> seen = {&first};
    for (std::size_t i = 0; i < work.size(); ++i) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(work[i]->getTerminator());
      if (branch == nullptr)
        continue;
      for (llvm::Instruction& instruction : *work[i])
        if (work[i] != &first || instruction.isTerminator())
          instruction.setDebugLoc(where);
      if (branch->isConditional()) {
        auto* count = llvm::ConstantAsMetadata::get(
            llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), targets));
        branch->setMetadata(outer ? targetsMetadata : innerMetadata,
                            llvm::MDNode::get(context, count));
        outer = false;
      }
      for (llvm::BasicBlock* next : llvm::successors(work[i]))
        if (!before.contains(next) && seen.insert(next).second)
          work.push_back(next);
    }
  }
};

void simplify(llvm::Module& module) {
  llvm::FunctionPassManager each;
  each.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  each.addPass(LowerCopies());
  each.addPass(llvm::InferAddressSpacesPass(0));
  each.addPass(LowerSwitches());
  each.addPass(LowerReductions());
  each.addPass(llvm::ScalarizerPass());
  each.addPass(llvm::InstCombinePass());
  each.addPass(llvm::InferAlignmentPass());
  each.addPass(llvm::LoadStoreVectorizerPass()); // as ptxas' front end does: LDS.128, STG.64
  each.addPass(llvm::UnifyFunctionExitNodesPass());
  each.addPass(llvm::LCSSAPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  ir::PassRunner().run(module, all);
}

// Step 3

/// The operand of an access that is a pointer.
llvm::Use* pointerUse(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return &load->getOperandUse(llvm::LoadInst::getPointerOperandIndex());
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return &store->getOperandUse(llvm::StoreInst::getPointerOperandIndex());
  return nullptr;
}

void computeAddressesLocally(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    llvm::DenseMap<llvm::Value*, llvm::Instruction*> copies;
    for (llvm::Instruction& instruction : block) {
      llvm::Use* use = pointerUse(instruction);
      auto* address =
          use == nullptr ? nullptr : llvm::dyn_cast<llvm::GetElementPtrInst>(use->get());
      if (address == nullptr || address->getParent() == &block)
        continue;
      llvm::Instruction*& copy = copies[address];
      if (copy == nullptr) {
        copy = address->clone();
        copy->setMetadata(addressMetadata, llvm::MDNode::get(function.getContext(), {}));
        copy->insertBefore(&instruction);
      }
      use->set(copy);
    }
  }
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
      if (llvm::isa<llvm::GetElementPtrInst>(instruction) && instruction.use_empty())
        instruction.eraseFromParent();
}

/// Of a loop that ptxas unrolls, only what it copies counts.
void freeUnrolledCopies(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    if (block.getTerminator()->getMetadata(copyUnrolledMetadata) != nullptr)
      for (llvm::Instruction& instruction : block)
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
          instruction.setMetadata(addressMetadata, llvm::MDNode::get(function.getContext(), {}));
}

// Step 4

bool isBarrierOfWarp(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::nvvm_bar_warp_sync;
}

bool endsItsBlock(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr)
    return false;
  const llvm::Function* callee = call->getCalledFunction();
  return isRealCall(instruction) || isBarrierOfWarp(instruction) ||
         (callee != nullptr && callee->getName() == barrierName);
}

/// Splits blocks before functions of a warp that name other lanes than the one before; where calls
/// or barriers follow, before these, too: lanes that have waited for each other run such a block
/// together, and end it each for itself.
void splitAtWarpFunctions(llvm::Function& function) {
  std::vector<llvm::Instruction*> starts;
  for (llvm::BasicBlock& block : function) {
    const llvm::Value* named = nullptr;
    for (llvm::Instruction& instruction : block) {
      const llvm::Value* mask = namedLanes(instruction);
      const bool waits = mask != nullptr && mask != named;
      if ((waits || (named != nullptr && endsItsBlock(instruction))) &&
          &instruction != block.getFirstNonPHIOrDbg())
        starts.push_back(&instruction);
      named = mask != nullptr ? mask : named;
    }
  }
  for (llvm::Instruction* start : starts)
    start->getParent()->splitBasicBlock(start, "together");
}

void splitAfterCalls(llvm::Function& function) {
  std::vector<llvm::Instruction*> ends;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (endsItsBlock(instruction))
        ends.push_back(&instruction);
  for (llvm::Instruction* end : ends)
    end->getParent()->splitBasicBlock(end->getNextNode(), "after");
}

/// Splits blocks so that no memory is touched beside functions of a warp: these have no code for
/// one lane, and vectors of addresses are what takes long to compile.
void isolateWarpFunctions(llvm::Function& function) {
  std::vector<llvm::Instruction*> starts;
  for (llvm::BasicBlock& block : function) {
    bool touched = false, together = false;
    for (llvm::Instruction& instruction : block) {
      const bool isWarpBarrier = isBarrierOfWarp(instruction);
      const bool touches = llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
      if ((touched && isWarpBarrier) || (together && touches)) {
        starts.push_back(&instruction);
        touched = together = false;
      }
      touched = touched || touches;
      together = together || isWarpBarrier || namedLanes(instruction) != nullptr;
    }
  }
  for (llvm::Instruction* start : starts)
    start->getParent()->splitBasicBlock(start, "alone");
}

} // namespace

const llvm::Value* namedLanes(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || call->getCalledFunction() == nullptr)
    return nullptr;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  if (name.starts_with(ptx::warpPrefix))
    return call->getArgOperand(0);
  if (name.starts_with("llvm.nvvm.redux.sync"))
    return call->getArgOperand(1);
  const bool isNamed = name.starts_with("llvm.nvvm.vote") || name.starts_with("llvm.nvvm.match") ||
                       name.starts_with("llvm.nvvm.shfl.sync");
  return isNamed ? call->getArgOperand(0) : nullptr;
}

bool isRealCall(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || call->isInlineAsm())
    return false;
  const auto* callee =
      llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
  return callee == nullptr || !callee->isDeclaration();
}

const llvm::Instruction& endingInstruction(const llvm::BasicBlock& block) {
  const llvm::Instruction* terminator = block.getTerminator();
  const llvm::Instruction* before = terminator->getPrevNonDebugInstruction();
  return before != nullptr && endsItsBlock(*before) ? *before : *terminator;
}

BlockEnd endOf(const llvm::BasicBlock& block) {
  const llvm::Instruction& end = endingInstruction(block);
  if (!endsItsBlock(end))
    return BlockEnd::Branch;
  if (isRealCall(end))
    return BlockEnd::Call;
  return isBarrierOfWarp(end) ? BlockEnd::WarpBarrier : BlockEnd::Barrier;
}

void prepareKernel(const std::vector<llvm::Function*>& functions, CodeForm form) {
  llvm::Module& module = *functions.front()->getParent();
  for (llvm::Function* function : functions) {
    // Step 1: plain forms
    copyByValueArguments(*function, function == functions.front());
    lowerReadOnlyLoads(*function);
    lowerAtomics(*function);
    capAlignments(*function);
    lowerBarriers(*function);
  }
  simplify(module); // Step 2
  for (llvm::Function* function : functions) {
    computeAddressesLocally(*function); // Step 3
    freeUnrolledCopies(*function);
    splitAtWarpFunctions(*function); // Step 4
    splitAfterCalls(*function);
    if (form == CodeForm::LaneByLane)
      isolateWarpFunctions(*function);
  }
}

} // namespace heddle::engine
