// SPDX-License-Identifier: Apache-2.0
//
// How many 32-bit registers a value of the IR takes on a GPU, and how many more an instruction
// needs while it runs. docs/design/registers.md has the rules and what they rest on.
#pragma once

#include "analysis/SharedAddresses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace heddle::lowering {

class RegisterCost {
public:
  using Values = llvm::SmallVector<const llvm::Value*, 2>;

  /// `computeCapability` as 10 * major + minor.
  RegisterCost(const llvm::Function& function, bool isKernel, int computeCapability);

  /// 0 for what needs none: predicates, constants, parameters of a kernel, what the warp computes
  /// once for all threads, and values that the instructions using them take in.
  int of(const llvm::Value& value) const;

  /// The values that are in registers where `value` is used: itself, or, where it takes none, what
  /// it is made of.
  const Values& heldFor(const llvm::Value& value);

  /// The values that are in registers when an instruction runs.
  Values needs(const llvm::Instruction& instruction);

  /// Whether the GPU executes it: neither taken in by its users, nor uniform, nor unused.
  bool isExecuted(const llvm::Instruction& instruction) const;

  /// Values that take no register, but are copied to registers for an instruction: the base of an
  /// address, a constant that is stored. Each with its size.
  llvm::SmallVector<std::pair<const llvm::Value*, int>, 2>
  copies(const llvm::Instruction& instruction) const;

private:
  int pointerRegisters() const;
  int ofType(const llvm::Type& type) const;
  const llvm::Value* copiedBase(const llvm::Instruction& instruction) const;
  bool isTakenIn(const llvm::Instruction& instruction) const;
  bool isUniform(const llvm::Value& value) const;
  bool computesUniform(const llvm::Instruction& instruction) const;
  void findUniform(const llvm::Function& function);
  void findNarrowPointers(const llvm::Function& function);
  void findExecuted(const llvm::Function& function);

  bool isKernel_;
  int computeCapability_;
  analysis::SharedAddresses addresses_;
  llvm::DenseSet<const llvm::Value*> uniform_;
  llvm::DenseSet<const llvm::Value*> narrow_; ///< pointers to shared or local memory: 32 bits
  llvm::DenseSet<const llvm::Value*> executed_;
  llvm::DenseMap<const llvm::Value*, Values> held_;
};

/// Registers that an instruction needs while it runs, besides its operands and result.
int temporaryRegisters(const llvm::Instruction& instruction);

/// Whether an instruction does more than compute its result.
bool hasEffect(const llvm::Instruction& instruction);

} // namespace heddle::lowering
