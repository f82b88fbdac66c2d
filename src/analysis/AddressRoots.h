// SPDX-License-Identifier: Apache-2.0
//
// Which objects of global memory the addresses of a kernel may belong to, and what they are
// computed from. Numbers that become pointers, as PTX has them, are followed too.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::analysis {

/// A pointer that a kernel gets: so many bytes from the beginning of one of its arguments.
struct ArgumentPlace {
  unsigned argument = 0;
  std::uint64_t offset = 0;

  auto operator<=>(const ArgumentPlace&) const = default;
};

/// What a value is computed from, whatever else.
struct Reach {
  bool block = false;  ///< the number of the thread block
  bool thread = false; ///< that of the thread in it
  bool data = false;   ///< what memory holds that kernels may write
  bool way = false;    ///< the way that led there
  bool turn = false;   ///< in any case an atomic that comes in the order of blocks

  bool isOwn() const { return block && !data; }     ///< of an address: the block's own
  bool isCommon() const { return !block && !data; } ///< the same in all blocks
  bool differs() const { return block || thread || data || way; }

  Reach operator|(const Reach& other) const {
    return {block || other.block, thread || other.thread, data || other.data, way || other.way,
            turn || other.turn};
  }
  auto operator<=>(const Reach&) const = default;
};

/// An argument of the kernel, a variable, or the pointer that one of them holds; nothing for a
/// pointer of which it cannot be told.
struct Root {
  const llvm::Value* object = nullptr;
  std::optional<std::uint64_t> held = {}; ///< the offset of the pointer that the object holds
  bool holdsAny = false;                  ///< one of its pointers

  bool mayBe(const Root& other) const {
    return object == other.object && (holdsAny || other.holdsAny || held == other.held);
  }
  /// Where a launch finds it.
  std::optional<ArgumentPlace> argument() const;

  auto key() const { return std::tuple(object, holdsAny, held); }
  bool operator<(const Root& other) const { return key() < other.key(); }
};

struct Address {
  std::vector<Root> roots; ///< none for memory that is not global
  Reach reach;
  /// Where it is a root and an offset that is always the same.
  const llvm::Value* base = nullptr;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;

  bool isGlobal() const { return !roots.empty(); }
  bool isApartFrom(const Address& other) const {
    return base != nullptr && base == other.base &&
           (offset + bytes <= other.offset || other.offset + other.bytes <= offset);
  }
  bool mayBe(const Address& other) const;

  auto key() const { return std::tie(roots, reach, base, offset, bytes); }
  bool operator<(const Address& other) const { return key() < other.key(); }
};

class AddressRoots {
public:
  /// Of a prepared kernel, which comes first, and the functions that it may call.
  /// `isOrdered`: which atomics come in the order of blocks.
  AddressRoots(const std::vector<llvm::Function*>& functions,
               std::function<bool(const llvm::Instruction&)> isOrdered);

  /// Of an instruction that touches memory.
  Address addressOf(const llvm::Instruction& access) const;
  Reach reach(const llvm::Value* value) const;

private:
  using Values = llvm::SmallVector<const llvm::Value*, 8>;
  using Seen = llvm::SmallPtrSet<const llvm::Value*, 16>;

  void noteCalls();
  void spread();
  Reach reachOf(const llvm::Instruction& instruction) const;
  bool holdsTurn(const llvm::LoadInst& load) const;
  Reach ofCall(const llvm::CallInst& call) const;
  bool isConstantMemory(const llvm::Value* pointer) const;
  void addRoots(const llvm::Value* value, Seen& seen, std::vector<Root>& roots) const;
  void addHeld(const llvm::LoadInst& load, std::vector<Root>& roots) const;
  void placeOf(const llvm::Value* pointer, const llvm::Type* type, Address& address) const;
  bool isKernelArgument(const llvm::Value* value) const;

  const std::vector<llvm::Function*>& functions_;
  const llvm::DataLayout& types_;
  std::function<bool(const llvm::Instruction&)> isOrdered_;
  llvm::DenseMap<const llvm::Value*, std::vector<const llvm::StoreInst*>> stored_; ///< in variables
  llvm::DenseMap<const llvm::Argument*, Values> passed_; ///< by whoever may call
  llvm::DenseMap<const llvm::Value*, Reach> reach_;
};

} // namespace heddle::analysis
