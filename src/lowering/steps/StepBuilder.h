// SPDX-License-Identifier: Apache-2.0
//
// Lowers basic blocks to steps. One class in three files: StepBuilder.cpp has values, phis and
// branches, StepSequences.cpp arithmetic and what takes several instructions, StepCalls.cpp
// calls, lanes that wait for one another, and memory.
#pragma once

#include "lowering/FlowFacts.h"
#include "lowering/InstructionFacts.h"

#include <llvm/IR/Instructions.h>

namespace heddle::lowering {

class StepBuilder {
public:
  StepBuilder(const FlowFacts& flow, const InstructionFacts& facts, int& values)
      : flow_(flow), facts_(facts), values_(values) {}

  /// What is added from now on goes there.
  void begin(std::vector<profile::Step>& steps) { steps_ = &steps; }
  void add(const llvm::Instruction& instruction);

private:
  using Operands = llvm::SmallVector<int, 4>;

  int numberOf(const llvm::Value* value);
  bool isPassedOn(const llvm::Instruction& instruction) const;
  Operands operandsOf(const llvm::Instruction& instruction);
  void emit(profile::Step step, llvm::ArrayRef<int> operands);
  void merge(const llvm::PHINode& phi);

  void addBranch(const llvm::BranchInst& branch);
  int compareAgain(const llvm::CmpInst& comparison);
  bool isJoin(const llvm::BasicBlock& block) const;
  const llvm::BasicBlock* meetingPoint(const llvm::BasicBlock* block) const;

  void addArithmetic(const llvm::Instruction& instruction);
  void addDivision(const llvm::Instruction& instruction);
  void addFloatDivision(const llvm::Instruction& instruction);
  void addMath(const llvm::CallInst& call);

  void addCall(const llvm::CallInst& call);
  void gatherFor(const llvm::CallInst& call);
  bool isDivided(const llvm::BasicBlock& block) const;
  void addAccess(const llvm::Instruction& instruction, profile::AccessKind kind);

  const FlowFacts& flow_;
  const InstructionFacts& facts_;
  int& values_; ///< how many numbers are in use
  std::vector<profile::Step>* steps_ = nullptr;
  llvm::DenseMap<const llvm::Value*, int> numbers_;
};

} // namespace heddle::lowering
