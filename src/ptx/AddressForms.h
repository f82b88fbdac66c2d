// SPDX-License-Identifier: Apache-2.0
//
// PTX computes addresses as numbers. Where a sum is used as an address and for nothing else, it
// becomes an address that is computed from a pointer, as clang writes it:
//
//   %offset = mul i64 %index, 4               %where = getelementptr i32, ptr %base, i64 %index
//   %number = add i64 %base, %offset    ==>
//   %where = inttoptr i64 %number to ptr
//
// The engine then sees which accesses belong together, and the account that a GPU computes this in
// one instruction. Sums that are needed as numbers, too, stay what they are.
// Stands behind SROA: registers must be values.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::ptx {

class AddressForms : public llvm::PassInfoMixin<AddressForms> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace heddle::ptx
