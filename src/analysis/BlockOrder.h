// SPDX-License-Identifier: Apache-2.0
//
// Whether the thread blocks of a launch can tell in which order they run, and so must run in one
// that is defined, if the answer is to be the same every time. They meet in global memory alone:
//
//   atomics   that only add, or only take the larger one, come to the same in any order. Those of
//             which somebody reads the result, exchanges and what else changes with the order must
//             come in the order of blocks: up to its first one a block may run beside others
//             (engine/BlockSequence.h). The same goes for the device's heap.
//   waiting   a loop that ends by what an atomic gave or memory held, a volatile or atomic load:
//             blocks may wait for each other, and need turns
//   loads     of what other blocks may write: in place, at an address that comes from memory, as in
//             graphs, at one that is the same for all blocks, as a flag, or one after the other, as
//             in `for (j...) if (a[j] < a[i])`
//   stores    of different values to a place that is the same for all blocks
//
// Where only atomics are in the way, or nothing is, blocks run on all cores. For the rest one
// worker gives them turns.
//
// An address that is computed from the block's number, and not from what was loaded, is taken for
// one of the block's own: a[i], a[i ^ j], a[n * y + x]. Blocks that meet there have a race that
// nothing on a GPU settles either. One that comes from memory, and that nobody loads from, is taken
// for a permutation: out[place[i]] = x. A pointer that was itself loaded from memory is taken for
// one that no argument of the kernel is.
#pragma once

#include "analysis/AddressRoots.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <utility>
#include <vector>

namespace heddle::analysis {

struct BlockOrder {
  /// Only one worker, and one block after the other or in turns.
  bool needsTurns = false;
  /// So too in a launch where both of these point into the same allocation.
  std::vector<std::pair<ArgumentPlace, ArgumentPlace>> needsTurnsIfTogether = {};
  /// It has atomics that come in the order of blocks, sums of floats, which the order rounds, or
  /// text that it prints.
  bool endsInOrder = false;
  /// What it does may depend on what blocks before it have done.
  bool showsOrder = false;
};

/// Whether an atomic comes to the same in any order, but for the rounding of floats, while nothing
/// else is done to the place.
bool isInAnyOrder(const llvm::AtomicRMWInst& atomic);

/// On a store that must come in the order of blocks.
inline constexpr const char* inOrderMetadata = "heddle.in.order";

/// Of a prepared kernel, which comes first, and the functions that it may call. Marks stores.
BlockOrder findBlockOrder(const std::vector<llvm::Function*>& functions);

} // namespace heddle::analysis
