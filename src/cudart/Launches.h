// SPDX-License-Identifier: Apache-2.0
//
// A launch, from the host function that stands for a kernel to its profile. It runs in the calling
// thread and is over when the call returns.
#pragma once

#include "cudart/Registry.h"
#include "cudart/Runtime.h"

namespace heddle::cudart {

struct LaunchCall {
  const void* function = nullptr;
  dim3 grid;
  dim3 block;
  void** arguments = nullptr;
  std::size_t shared = 0; ///< dynamic
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

/// A kernel that is announced, loaded and compiled.
struct ReadyKernel {
  KernelEntry* entry = nullptr;
  const engine::CompiledKernel* code = nullptr;
};

/// No entry for a function that is no kernel. Code that Heddle cannot run ends the program.
ReadyKernel prepareKernel(Runtime& runtime, const void* function);

/// Blocks of a kernel that a multiprocessor holds at once; 0 if it cannot be launched so.
int activeBlocksOf(const Runtime& runtime, const ReadyKernel& kernel, int threads,
                   std::size_t dynamicShared);

/// A launch that a check stops ends the program.
cudaError_t launchKernel(Runtime& runtime, const LaunchCall& asked);

} // namespace heddle::cudart
