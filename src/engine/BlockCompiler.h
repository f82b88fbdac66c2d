// SPDX-License-Identifier: Apache-2.0
//
// Compiles each basic block of a prepared kernel to one function over 32-lane vectors:
//
//   uint32_t block(frame, mask)      runs the block for the lanes of the mask; returns those that
//   take
//                                    the first successor of its branch
//
// Values come from and go to the frame only where they cross blocks; a write leaves the other lanes
// as they were. The value of a phi is written by the block it comes from, for the lanes that take
// that edge.
#pragma once

#include "engine/FrameLayout.h"
#include "support/Error.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::engine {

class BlockCompiler {
public:
  BlockCompiler(llvm::Function& kernel, FrameLayout& layout);

  /// A module with one function per block, named by blockSymbol. Refuses what the engine cannot
  /// run, with the place in the source.
  Expected<std::unique_ptr<llvm::Module>> compile();

  static std::string blockSymbol(std::size_t number) { return "block." + std::to_string(number); }

  /// The memory instruction of each access site, for messages.
  const std::vector<const llvm::Instruction*>& accessSites() const { return accessSites_; }

private:
  using Values = llvm::SmallVector<llvm::Value*, 4>;
  /// Makes one lane's result from one lane's operands.
  using LaneBody = llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)>;

  void compileBlock(std::size_t number);
  void compileInstruction(llvm::Instruction& instruction);
  void compileArithmetic(llvm::Instruction& instruction);
  void compileDivision(llvm::BinaryOperator& division);
  void compileAddress(llvm::GetElementPtrInst& address);
  void compileBranch(llvm::BranchInst& branch);
  void writePhis(const llvm::BasicBlock* from, llvm::BasicBlock* to, llvm::Value* edgeMask);

  // BlockCompilerCalls.cpp
  void compileCall(llvm::CallInst& call);
  bool compileThreadIdentity(llvm::CallInst& call);
  bool compileWarpFunction(llvm::CallInst& call);
  bool compileMath(llvm::CallInst& call);
  void compileShuffle(llvm::CallInst& call);

  // BlockCompilerMemory.cpp
  void compileLoad(llvm::LoadInst& load);
  void compileStore(llvm::StoreInst& store);
  void compileAtomic(llvm::AtomicRMWInst& atomic);
  void compileExchange(llvm::AtomicCmpXchgInst& exchange);
  llvm::Value* checkedLanes(llvm::Instruction& access, llvm::Value* pointers, llvm::Type* type);
  llvm::AllocaInst* stackPlace(llvm::Type* type);
  llvm::Value* forEachLane(llvm::Value* lanes, llvm::Type* result,
                           llvm::ArrayRef<llvm::Value*> operands, LaneBody body);

  // Values
  llvm::Type* laneType(llvm::Type* type) const;
  llvm::Type* vectorType(llvm::Type* type) const;
  llvm::Value* scalar(llvm::Value* value);
  llvm::Value* vector(llvm::Value* value);
  llvm::Value* constant(llvm::Constant* value);
  llvm::Value* global(llvm::GlobalVariable& variable);
  llvm::Value* framePlace(unsigned offset);
  llvm::Value* contextField(unsigned offset, llvm::Type* type);
  llvm::Value* bits(llvm::Value* lanes);
  void define(llvm::Instruction& instruction, llvm::Value* value);
  void keep(const llvm::Value* value, llvm::Value* fresh, llvm::Value* lanes);

  void refuse(const llvm::Instruction& instruction, const std::string& what);

  llvm::Function& kernel_;
  FrameLayout& layout_;
  std::unique_ptr<llvm::Module> module_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  llvm::Value* frame_ = nullptr;
  llvm::Value* activeMask_ = nullptr;  ///< as 32 bits
  llvm::Value* activeLanes_ = nullptr; ///< as a vector of 32
  llvm::DenseMap<const llvm::Value*, llvm::Value*> scalars_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> vectors_;
  llvm::DenseMap<const llvm::Value*, std::pair<llvm::Value*, llvm::Value*>> pairs_;
  std::vector<const llvm::Instruction*> accessSites_;
  std::optional<Error> error_;
};

} // namespace heddle::engine
