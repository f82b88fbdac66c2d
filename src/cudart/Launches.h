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
  std::optional<dim3> cluster = {}; ///< where the launch asks for one
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

/// A launch that nothing speaks against any more.
struct GridLaunch {
  ReadyKernel kernel;
  engine::LaunchRequest request;
  machine::Residency residency;
  bool byDevice = false;            ///< asked for by a kernel
  std::optional<dim3> cluster = {}; ///< where the launch itself asks for one
};

/// Of a kernel that is announced and loaded.
ReadyKernel prepareKernel(Runtime& runtime, KernelEntry& entry);

/// What CUDA says to a launch of this shape; fills in how many blocks are on the GPU together.
cudaError_t checkLaunch(const Runtime& runtime, GridLaunch& launch, bool cooperative);

/// Runs it and keeps its profile. Returns the launches that its threads ask for; none if it
/// faulted, which ends the program unless it is to go on.
std::vector<engine::DeviceLaunch> runGrid(Runtime& runtime, const GridLaunch& launch);

/// A fault after which the program goes on where the settings say so.
void faultOfKernel(Runtime& runtime, const std::string& message, cudaError_t error);

/// A launch that a check stops ends the program. It is over when its children are.
cudaError_t launchKernel(Runtime& runtime, const LaunchCall& asked);

} // namespace heddle::cudart
