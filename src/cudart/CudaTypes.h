// SPDX-License-Identifier: Apache-2.0
//
// The runtime API that we define, as the programs see it: cuda/include/compat/cuda_runtime_api.h.
#pragma once

#include <cuda_runtime_api.h>

// Qualifiers of CUDA that C++ headers included after this one use for themselves.
#undef __align__
#undef __forceinline__

/// Everything else in the shared library is hidden from the program under test.
#define HEDDLE_API extern "C" __attribute__((visibility("default")))
