// SPDX-License-Identifier: Apache-2.0
//
// What tensor cores do, for a whole warp at once: mma.sync and the exchange behind ldmatrix. A
// fragment is 32-bit registers of all lanes, one register after the other.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>

namespace heddle::engine {

/// What follows "heddle.warp." in the name of a call, as a number for the function below:
///   mma.<m>.<n>.<k>.<D>.<A>.<B>.<C>[.satfinite]      D = A * B + C
///   wmma.<m>.<n>.<k>.<D>.<A>.<B>.<C>.<row|col>.<row|col>[.satfinite]
///                                                    the same with fragments of ptx/LowerWmma.cpp
///   ldmatrix.<count>[.trans]                         rows of the lanes to fragments
/// Nothing where such an operation is not known.
std::optional<std::uint64_t> matrixOperation(llvm::StringRef name);

extern "C" {
/// Sums of floating point are made in double and rounded once; a GPU rounds on the way.
void heddleMatrix(std::uint64_t operation, const std::uint32_t* in, std::uint32_t* out);
}

} // namespace heddle::engine
