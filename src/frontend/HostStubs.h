// SPDX-License-Identifier: Apache-2.0
//
// The kernels that a host object can launch, told by the functions that clang puts in their place:
// _Z18__device_stub__addPi launches _Z3addPi.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// Symbols of kernels that other files could call, in order; none of what is no object file.
/// Static ones are left out: a compiler may drop them where nobody launches them.
std::vector<std::string> launchedKernels(std::string_view object);

/// The kernel of a stub's symbol; empty where it is none.
std::string kernelOfStub(std::string_view symbol);

} // namespace heddle::frontend
