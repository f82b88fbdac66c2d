// SPDX-License-Identifier: Apache-2.0
//
// How many registers are live at once in a basic block, in the order in which a compiler would put
// its instructions. The order in the IR says little: a GPU compiler starts what takes long as early
// as it can, as long as the registers it needs cost no occupancy, and from there on takes what
// frees registers first.
#pragma once

#include "lowering/registers/RegisterCost.h"

#include <llvm/ADT/BitVector.h>

#include <vector>

namespace heddle::lowering {

/// The values of a function that take registers.
struct NumberedValues {
  llvm::DenseMap<const llvm::Value*, int> numbers;
  std::vector<int> registers; ///< by number
};

struct BlockToSchedule {
  const llvm::BasicBlock& block;
  const llvm::BitVector& before; ///< live at its start, by number; its phis are not in it
  const llvm::BitVector& after;  ///< live at its end
  int copies = 1;                ///< of a loop that the compiler unrolls
};

/// What one call leaves live, and the call.
struct CallPressure {
  const llvm::CallInst* call = nullptr;
  int across = 0; ///< registers live before and after it
};

struct SchedulePeak {
  int registers = 0;
  std::vector<CallPressure> calls;
};

/// `free`: registers that may be live before occupancy suffers.
SchedulePeak scheduleBlock(const BlockToSchedule& block, const NumberedValues& values,
                           RegisterCost& cost, int free);

} // namespace heddle::lowering
