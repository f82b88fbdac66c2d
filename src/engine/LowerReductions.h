// SPDX-License-Identifier: Apache-2.0
//
// Plain instructions instead of llvm.vector.reduce: clang makes vectors of the turns of loops that
// fold bytes or shorts, and reduces them behind the loop.
//
//   sum = vector.reduce.add(<4 x i8> v)     sum = v[0] + v[1] + v[2] + v[3]
//
// From the first element to the last, which is the order that floats ask for. It stands in front of
// the scalarizer, which does not know reductions.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::engine {

class LowerReductions : public llvm::PassInfoMixin<LowerReductions> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::engine
