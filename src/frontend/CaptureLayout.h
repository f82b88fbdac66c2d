// SPDX-License-Identifier: Apache-2.0
//
// What a lambda captures, as two compilers lay it out. With nvcc's device code the host code is
// still clang's, and a closure goes from one to the other byte by byte. But nvcc captures constants
// that clang, as C++ has it, does not:
//
//   constexpr int most = 5;
//   int value = 7;
//   k<<<1, 32>>>([=] __device__(int i) { out[i] = i < most ? value : 0; });
//
//   nvcc    out, most, value        clang    out, value
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace heddle::frontend {

/// Whether a lambda's type is among a kernel's template arguments.
bool takesLambda(const std::string& kernel);

/// Symbols of kernels that take a lambda and that find it laid out otherwise by clang: it has
/// another size, or the kernel reads what is padding there. Those that only one of the two has are
/// left out.
std::vector<std::string> laidOutOtherwise(const llvm::Module& byNvcc, const llvm::Module& byClang);

} // namespace heddle::frontend
