// SPDX-License-Identifier: Apache-2.0
#include "engine/WalkCompiler.h"

#include "engine/Counters.h"
#include "engine/WarpContext.h"

#include <cstddef>
#include <set>
#include <vector>

namespace heddle::engine {

using namespace llvm;

namespace {

class WalkCompiler {
public:
  WalkCompiler(Module& module, const KernelCompilation& kernel, std::size_t number,
               const CompiledFunction& function)
      : module_(module), kernel_(kernel), number_(number), function_(function),
        builder_(module.getContext()) {
    for (const CompiledBlock& block : function.blocks)
      joins_.insert(block.join);
  }

  void compile() {
    Type* word = builder_.getInt32Ty();
    Type* pointer = builder_.getPtrTy();
    type_ = FunctionType::get(word, {pointer, pointer, word}, false);
    FunctionType* type =
        FunctionType::get(builder_.getInt64Ty(), {pointer, pointer, word, word, word}, false);
    walk_ =
        Function::Create(type, GlobalValue::ExternalLinkage, kernel_.walkSymbol(number_), module_);
    walk_->addFnAttr(Attribute::NoUnwind);
    BasicBlock* entry = newBlock("entry");
    BasicBlock* nowhere = newBlock("nowhere");
    arrived_ = newBlock("arrived");
    for (std::size_t block = 0; block < function_.blocks.size(); ++block)
      blocks_.push_back(newBlock("block." + Twine(block)));
    builder_.SetInsertPoint(entry);
    SwitchInst* from = builder_.CreateSwitch(at(), nowhere, unsigned(blocks_.size()));
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      from->addCase(builder_.getInt32(std::uint32_t(block)), blocks_[block]);
    builder_.SetInsertPoint(nowhere);
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(arrived_);
    builder_.CreateRet(builder_.getInt64(std::uint32_t(noBlock)));
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      compileBlock(block);
  }

private:
  Value* frame() { return walk_->getArg(0); }
  Value* warp() { return walk_->getArg(1); }
  Value* mask() { return walk_->getArg(2); }
  Value* at() { return walk_->getArg(3); }
  Value* end() { return walk_->getArg(4); }

  BasicBlock* newBlock(const Twine& name) {
    return BasicBlock::Create(module_.getContext(), name, walk_);
  }
  Value* place(Value* base, std::size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
  }
  Value* field(std::size_t offset, Type* type) {
    return builder_.CreateLoad(type, place(warp(), offset));
  }
  /// Returns the sum.
  Value* add(Value* where, Value* amount) {
    Value* sum = builder_.CreateAdd(builder_.CreateLoad(amount->getType(), where), amount);
    builder_.CreateStore(sum, where);
    return sum;
  }

  void compileBlock(std::size_t number) {
    const CompiledBlock& block = function_.blocks[number];
    builder_.SetInsertPoint(blocks_[number]);
    Value* taken = builder_.CreateCall(
        module_.getOrInsertFunction(kernel_.blockSymbol(number_, number), type_),
        {frame(), warp(), mask()}, "taken");
    Value* instructions = add(place(warp(), offsetof(WarpContext, instructions)),
                              builder_.getInt64(block.instructions));
    BasicBlock* stop = newBlock("stop");
    const bool simple =
        !block.polls && (block.kind == BlockKind::Jump || block.kind == BlockKind::Branch);
    if (simple) {
      BasicBlock* on = newBlock("on");
      Value* lookAt = field(offsetof(WarpContext, lookAt), builder_.getInt64Ty());
      builder_.CreateCondBr(builder_.CreateICmpUGE(instructions, lookAt), stop, on);
      builder_.SetInsertPoint(on);
      if (block.kind == BlockKind::Jump)
        takeEdge(block, 0, stop);
      else
        branch(block, taken, stop);
    } else {
      builder_.CreateBr(stop);
    }
    builder_.SetInsertPoint(stop);
    Value* upper = builder_.CreateShl(builder_.CreateZExt(taken, builder_.getInt64Ty()), 32);
    builder_.CreateRet(builder_.CreateOr(upper, builder_.getInt64(number)));
  }

  void branch(const CompiledBlock& block, Value* taken, BasicBlock* stop) {
    BasicBlock* first = newBlock("first");
    BasicBlock* notFirst = newBlock("not.first");
    BasicBlock* second = newBlock("second");
    builder_.CreateCondBr(builder_.CreateICmpEQ(taken, mask()), first, notFirst);
    builder_.SetInsertPoint(notFirst);
    builder_.CreateCondBr(builder_.CreateIsNull(taken), second, stop);
    builder_.SetInsertPoint(first);
    takeEdge(block, 0, stop);
    builder_.SetInsertPoint(second);
    takeEdge(block, 1, stop);
  }

  /// As WarpRun::countBranch and takeEdge; loops are entered and left there.
  void takeEdge(const CompiledBlock& block, unsigned side, BasicBlock* stop) {
    if (block.leaves[side] >= 0 || (block.loopEdges[side] >= 0 && block.repeats[side] < 0)) {
      builder_.CreateBr(stop);
      return;
    }
    if (block.kind == BlockKind::Branch)
      countBranch(block, side);
    if (block.edgeInstructions[side] > 0)
      add(place(warp(), offsetof(WarpContext, instructions)),
          builder_.getInt64(block.edgeInstructions[side]));
    if (block.repeats[side] >= 0)
      add(place(field(offsetof(WarpContext, trips), builder_.getPtrTy()),
                std::size_t(block.repeats[side]) * sizeof(std::uint64_t)),
          builder_.getInt64(1));
    const int next = block.successors[side];
    if (joins_.contains(next))
      builder_.CreateCondBr(builder_.CreateICmpEQ(end(), builder_.getInt32(std::uint32_t(next))),
                            arrived_, blocks_[std::size_t(next)]);
    else
      builder_.CreateBr(blocks_[std::size_t(next)]);
  }

  void countBranch(const CompiledBlock& block, unsigned side) {
    Value* counters = place(field(offsetof(WarpContext, branches), builder_.getPtrTy()),
                            std::size_t(block.branch) * sizeof(BranchCounters));
    if (block.startsBranch)
      add(place(counters, offsetof(BranchCounters, executions)), builder_.getInt64(1));
    add(place(counters, offsetof(BranchCounters, lanes) + side * sizeof(std::uint64_t)),
        field(offsetof(WarpContext, runLanes), builder_.getInt64Ty()));
  }

  Module& module_;
  const KernelCompilation& kernel_;
  std::size_t number_;
  const CompiledFunction& function_;
  IRBuilder<> builder_;
  Function* walk_ = nullptr;
  FunctionType* type_ = nullptr; ///< of a block's code
  std::set<int> joins_;          ///< where a walk may end
  std::vector<BasicBlock*> blocks_;
  BasicBlock* arrived_ = nullptr;
};

} // namespace

void compileWalk(Module& module, const KernelCompilation& kernel, std::size_t functionNumber,
                 const CompiledFunction& function) {
  WalkCompiler(module, kernel, functionNumber, function).compile();
}

} // namespace heddle::engine
