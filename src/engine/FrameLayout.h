// SPDX-License-Identifier: Apache-2.0
//
// Where the values of a kernel live while no basic block holds them in registers. A value that is
// used in another block than its own, and every phi, has a slot in the warp's frame: 32 lanes wide,
// or a single scalar where the value is the same for all threads of a block whatever path they
// take.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace heddle::engine {

class FrameLayout {
public:
  explicit FrameLayout(llvm::Function& kernel);

  /// Basic blocks in reverse post-order; the entry is number 0.
  const std::vector<llvm::BasicBlock*>& blocks() const { return blocks_; }
  int blockNumber(const llvm::BasicBlock* block) const { return numbers_.lookup(block); }

  /// Whether a value is the same for all threads of a block, independent of control flow: made of
  /// constants, arguments, blockIdx, blockDim and gridDim alone.
  bool isUniform(const llvm::Value* value) const;

  /// What is passed: the struct itself where the IR has a pointer to it.
  static llvm::Type* argumentType(const llvm::Argument& argument);

  bool hasSlot(const llvm::Value* value) const { return slots_.contains(value); }
  unsigned slotOf(const llvm::Value* value) const { return slots_.lookup(value); }
  unsigned argumentOffset(const llvm::Argument* argument) const {
    return arguments_.lookup(argument);
  }
  unsigned sharedOffset(const llvm::GlobalVariable* variable) const {
    return shared_.lookup(variable);
  }
  bool isShared(const llvm::GlobalVariable* variable) const { return shared_.contains(variable); }
  unsigned localOffset(const llvm::AllocaInst* variable) const { return local_.lookup(variable); }

  /// Room for the cache of one more memory instruction; they follow each other at the end of the
  /// frame.
  unsigned addSiteCache();
  unsigned firstSiteCache() const { return firstSiteCache_; }

  unsigned frameSize() const { return (frameSize_ + alignment - 1) / alignment * alignment; }
  unsigned argumentSize() const { return argumentSize_; }
  unsigned sharedSize() const { return sharedSize_; } ///< static part
  unsigned localSize() const { return localSize_; }   ///< per thread

  static constexpr unsigned alignment = 64;

private:
  void numberBlocks(llvm::Function& kernel);
  void placeArguments(llvm::Function& kernel);
  void placeShared(const llvm::Module& module);
  void placeValues();
  void placeValue(llvm::Instruction& instruction);
  bool computedUniform(const llvm::Instruction& instruction) const;

  const llvm::DataLayout& types_;
  std::vector<llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, int> numbers_;
  llvm::DenseSet<const llvm::Value*> uniform_;
  llvm::DenseMap<const llvm::Value*, unsigned> slots_;
  llvm::DenseMap<const llvm::Argument*, unsigned> arguments_;
  llvm::DenseMap<const llvm::GlobalVariable*, unsigned> shared_;
  llvm::DenseMap<const llvm::AllocaInst*, unsigned> local_;
  unsigned frameSize_;
  unsigned firstSiteCache_ = 0;
  unsigned argumentSize_ = 0;
  unsigned sharedSize_ = 0;
  unsigned localSize_ = 0;
};

} // namespace heddle::engine
