// SPDX-License-Identifier: Apache-2.0
//
// Addresses that differ by a constant share a register: a load or store adds the constant itself.
//
//   p = a + 4*i         one register pair holds a + 4*i; the accesses are [pair], [pair+4] and
//   q = a + 4*(i + 1)   [pair+64]
//   r = p + 64
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace heddle::analysis {

class SharedAddresses {
public:
  explicit SharedAddresses(const llvm::Function& function);

  /// The address computed earlier that differs from this one by a constant; itself if there is
  /// none.
  const llvm::GetElementPtrInst* representative(const llvm::GetElementPtrInst& address) const;

  /// What an address is computed of: its base, unless that is known when the program is compiled,
  /// and its indices without the constants added to them.
  llvm::ArrayRef<const llvm::Value*> parts(const llvm::GetElementPtrInst& address) const;

private:
  struct Entry {
    const llvm::GetElementPtrInst* representative = nullptr;
    llvm::SmallVector<const llvm::Value*, 3> parts;
  };

  llvm::DenseMap<const llvm::Value*, Entry> entries_;
};

/// Where a pointer points, as far as its computation tells.
enum class AddressSpace { Global, Shared, Local, Constant };
AddressSpace addressSpaceOf(const llvm::Value& pointer);

} // namespace heddle::analysis
