// SPDX-License-Identifier: Apache-2.0
//
// Accesses of one basic block whose addresses differ by constants only, like tile[y][0] ...
// tile[y][15]. One check serves them all.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

namespace heddle::engine {

/// What a load, store or atomic touches.
struct MemoryOperand {
  llvm::Value* pointer = nullptr;
  llvm::Type* type = nullptr;
  llvm::Align alignment;
};
/// Of an instruction that touches memory; no pointer for any other.
MemoryOperand memoryOperand(const llvm::Instruction& instruction);

/// Whether it adds an integer of 32 or 64 bits atomically, and no one reads the result.
bool isSum(const llvm::Instruction& instruction);

/// Whether it adds a float or double atomically, and no one reads the result (LaterSums.h).
bool isLaterSum(const llvm::Instruction& instruction);

struct AddressGroup {
  std::int64_t least = 0; ///< constant part of its lowest address
  std::int64_t end = 0;   ///< of the first byte after its highest
};

class AddressGroups {
public:
  AddressGroups(const llvm::BasicBlock& block, const llvm::DataLayout& types);

  struct Member {
    std::size_t group;
    std::int64_t offset; ///< constant part of its address
  };
  Member find(const llvm::Instruction* access) const { return members_.lookup(access); }
  const AddressGroup& group(std::size_t number) const { return groups_[number]; }
  std::size_t size() const { return groups_.size(); }

private:
  llvm::DenseMap<const llvm::Instruction*, Member> members_;
  std::vector<AddressGroup> groups_;
};

} // namespace heddle::engine
