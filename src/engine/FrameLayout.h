// SPDX-License-Identifier: Apache-2.0
//
// Where the values of a function live while no basic block holds them in registers. A value that is
// used in another block than its own, and every phi, has a slot in the frame:
//
//   header | uniform slots: one scalar each | arguments | slots: 32 lanes each | local memory
//
// Structs and small vectors are kept as their parts, one slot after the other.
#pragma once

#include "analysis/Joins.h"
#include "analysis/Uniformity.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace heddle::engine {

/// A scalar of a value, and where its lanes are in the value's slot.
struct Part {
  llvm::Type* type;
  unsigned offset;
};

/// The scalars that a type consists of; one for most types.
std::vector<Part> partsOf(llvm::Type* type, const llvm::DataLayout& types);

/// Bytes of a slot of 32 lanes.
unsigned slotSize(llvm::Type* type, const llvm::DataLayout& types);

inline constexpr unsigned slotAlignment = 64;
inline constexpr unsigned sharedAddressSpace = 3; ///< of NVPTX

class FrameLayout {
public:
  FrameLayout(llvm::Function& function, bool isKernel);

  const analysis::ControlFlow& flow() const { return flow_; }
  const analysis::Joins& joins() const { return joins_; }
  bool isKernel() const { return isKernel_; }
  bool isUniform(const llvm::Value* value) const { return uniformity_.isUniform(value); }

  bool hasSlot(const llvm::Value* value) const { return slots_.contains(value); }
  unsigned slotOf(const llvm::Value* value) const { return slots_.lookup(value); }
  unsigned localOffset(const llvm::AllocaInst* variable) const { return local_.lookup(variable); }
  unsigned localBegin() const { return localBegin_; }
  unsigned localSize() const { return localSize_; } ///< per thread

  unsigned argumentsBegin() const { return argumentsBegin_; }
  unsigned argumentsSize() const { return argumentsSize_; }
  unsigned uniformBegin() const { return slotAlignment; }
  unsigned uniformEnd() const { return argumentsBegin_; }
  unsigned frameSize() const { return frameSize_; }

private:
  void placeUniform();
  void placeArguments(llvm::Function& function);
  void placeLanes();
  void placeLocal();

  const llvm::DataLayout& types_;
  bool isKernel_;
  analysis::ControlFlow flow_;
  analysis::Joins joins_;
  analysis::Uniformity uniformity_;
  llvm::DenseMap<const llvm::Value*, unsigned> slots_;
  llvm::DenseMap<const llvm::AllocaInst*, unsigned> local_;
  unsigned argumentsBegin_ = 0;
  unsigned argumentsSize_ = 0;
  unsigned localBegin_ = 0;
  unsigned localSize_ = 0;
  unsigned frameSize_ = slotAlignment; ///< so far: the header
};

/// How a kernel's arguments lie in the buffer that a launch passes.
struct ArgumentLayout {
  explicit ArgumentLayout(llvm::Function& kernel);

  /// What is passed: the struct itself where the IR has a pointer to it.
  static llvm::Type* typeOf(const llvm::Argument& argument);

  std::vector<unsigned> offsets;
  std::vector<unsigned> sizes;
  unsigned size = 0;
  unsigned alignment = 16; ///< of the whole: that of the argument that wants most
};

/// Where the shared variables lie in the memory of a block; `extern __shared__` ones at the end.
struct SharedLayout {
  explicit SharedLayout(const llvm::Module& module);

  llvm::DenseMap<const llvm::GlobalVariable*, unsigned> offsets;
  unsigned size = 0;
};

} // namespace heddle::engine
