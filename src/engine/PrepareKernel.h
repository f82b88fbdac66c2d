// SPDX-License-Identifier: Apache-2.0
//
// Turns a kernel as the compiler leaves it into the form the block compiler takes: two-way branches
// only, one return, scalars instead of small vectors, plain atomics and copies instead of NVVM's,
// and every barrier and call at the end of its block.
#pragma once

#include "engine/CodeForm.h"

#include <llvm/IR/Function.h>

#include <vector>

namespace heddle::engine {

/// Changes a kernel, the first of them, and the functions it needs in place. Stands behind
/// extractKernel: passes run over their whole module.
void prepareKernel(const std::vector<llvm::Function*>& functions, CodeForm form = CodeForm::Full);

/// Markers that a prepared function calls.
inline constexpr const char* barrierName = "heddle.barrier";            ///< void(i32 vote)
inline constexpr const char* barrierCountName = "heddle.barrier.count"; ///< i32(): yes votes
inline constexpr const char* barrierAllName = "heddle.barrier.all";     ///< i32(): whether all

/// In front of a barrier with a number: void(i32 number, i32 threads).
inline constexpr const char* barrierNumberName = "heddle.barrier.number";

/// On a barrier whose votes nobody reads.
inline constexpr const char* plainMetadata = "heddle.plain";

/// On the first branch that a switch became: how many targets it had. On the others: that they are.
inline constexpr const char* targetsMetadata = "heddle.targets";
inline constexpr const char* innerMetadata = "heddle.inner";

/// On an address that is computed again where it is used; a GPU has it in its load instruction.
inline constexpr const char* addressMetadata = "heddle.address";

/// How a block ends, when not by its branch alone.
enum class BlockEnd { Branch, Barrier, WarpBarrier, Call };
BlockEnd endOf(const llvm::BasicBlock& block);

/// The call, barrier or branch that ends a block.
const llvm::Instruction& endingInstruction(const llvm::BasicBlock& block);

/// The mask of a vote, shuffle, match or reduction; nothing for other instructions.
const llvm::Value* namedLanes(const llvm::Instruction& instruction);

/// A call of a function that the engine runs, not of an intrinsic or helper.
bool isRealCall(const llvm::Instruction& instruction);

} // namespace heddle::engine
