// SPDX-License-Identifier: Apache-2.0
//
// How many blocks of a launch are on the GPU at once, and how many registers that leaves to a
// thread.
#pragma once

#include "machine/Device.h"
#include "machine/Occupancy.h"

#include <cstdint>

namespace heddle::machine {

/// Whether a count of registers is a fact, or a guess that must not keep a block from running: a
/// compiler that is told the size of the block uses fewer where it would not fit.
enum class RegisterCount { Fixed, Guess };

/// How a launch sits on the GPU.
struct Residency {
  KernelResources kernel;  ///< with the registers that a block runs with
  Occupancy occupancy;     ///< of a multiprocessor; no active blocks where none can be launched
  std::int64_t blocks = 0; ///< on the whole GPU at once
};
Residency residencyOf(const Device& device, const KernelResources& kernel, RegisterCount count);

/// On a multiprocessor; 0 for a block that cannot be launched.
int activeBlocks(const SmLimits& limits, const KernelResources& kernel, RegisterCount count);

/// Registers per thread that cost no occupancy: all threads the multiprocessor can hold have them.
int freeRegisters(const SmLimits& limits);

/// The most registers a thread may have so that `blocks` blocks of `threads` threads fit on a
/// multiprocessor: what __launch_bounds__(threads, blocks) makes the compiler keep to, and
/// __maxnreg__(registers). A number of blocks that no kernel reaches does not count; 0 stands for
/// what is not given.
int mostRegisters(const SmLimits& limits, int threads, int blocks, int registers);

} // namespace heddle::machine
