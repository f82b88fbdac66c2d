// SPDX-License-Identifier: Apache-2.0
//
// PTX to an LLVM module as clang makes it for CUDA, so that nothing behind it knows of PTX. Blocks
// stay blocks and order stays order: the text is nvcc's choice, and the account is of it.
// docs/ptx.md says what is understood.
#pragma once

#include "support/Error.h"

#include <llvm/IR/Module.h>

#include <memory>
#include <string_view>

namespace heddle::ptx {

/// Whether a text is PTX.
bool isPtx(std::string_view text);

/// Stands at the end of PTX of a program that was compiled with -fmad=false. nvcc hands this on to
/// ptxas; PTX itself does not say so, and has products of halves that could be fused.
inline constexpr std::string_view apartMark = "\n// -fmad=false\n";

/// `origin` names the text in errors and, where it has no lines of the source, in the account.
/// Instructions that are not known are no error: a kernel that needs one is refused later.
Expected<std::unique_ptr<llvm::Module>> readPtx(std::string_view text, const std::string& origin,
                                                llvm::LLVMContext& context);

/// What a module calls where an instruction cannot be run; the metadata of the call says why.
inline constexpr const char* refusedName = "heddle.refused";

/// What the engine does for textures: a channel of a texel, the address in a surface, a size.
inline constexpr const char* textureName = "heddle.ptx.texture";
inline constexpr const char* surfaceName = "heddle.ptx.surface";
inline constexpr const char* textureSizeName = "heddle.ptx.texture_size";

/// The section of __managed__ variables, whose memory is the host's (host_defines.h).
inline constexpr const char* managedSection = "heddle_managed";

/// On a branch that stands for a guard: `@p st.global.u32 [a], b`.
inline constexpr const char* predicatedMetadata = "heddle.predicated";

/// In front of the names of functions that are instructions of PTX and have no intrinsic.
inline constexpr const char* operationPrefix = "heddle.ptx.";

/// In front of the names of functions that a warp calls together: the first operand is the mask of
/// the lanes, the others are words, the result is a struct of words (engine/MatrixMultiply.h).
inline constexpr const char* warpPrefix = "heddle.warp.";

/// On an atomic exchange that stands for an operation on numbers of 16 bits: what of the old number
/// and the given one is stored, as `add.f16x2` behind "heddle.ptx.small.".
inline constexpr const char* smallAtomicMetadata = "heddle.small.atomic";

/// Barriers with a number, for a count of threads, or for all where that is 0:
/// i32 heddle.bar.{popc,and,or}(i32 number, i32 threads, i32 vote), void heddle.bar.sync(the same),
/// void heddle.bar.arrive(i32 number, i32 threads).
inline constexpr const char* barrierPrefix = "heddle.bar.";
inline constexpr const char* arriveName = "heddle.bar.arrive";

/// The number of the barrier of all blocks of a cluster; others have less.
inline constexpr unsigned clusterBarrier = 1U << 16;

/// A short address of shared memory has the rank of its block, and one more, from this bit on; 0
/// for the block's own.
inline constexpr unsigned rankShift = 24;

/// i64(i64 address, i32 rank): the same place in the shared memory of a block of the cluster. An
/// address that no access may touch where there is no such place.
inline constexpr const char* mapSharedName = "heddle.cluster.map";
/// i32(i64 address): the rank of the block whose shared memory it is in; ~0 for none.
inline constexpr const char* sharedRankName = "heddle.cluster.rank";
/// i32(): whether the launch asks for clusters.
inline constexpr const char* isClusterName = "heddle.cluster.explicit";

} // namespace heddle::ptx
