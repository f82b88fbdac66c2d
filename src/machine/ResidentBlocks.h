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

/// The kernel with fewer registers where not a block of it would fit, as that compiler makes it;
/// with none where it does not fit whatever they are.
KernelResources withFittingRegisters(const SmLimits& limits, KernelResources kernel);

/// On a multiprocessor; 0 for a block that cannot be launched.
int activeBlocks(const SmLimits& limits, const KernelResources& kernel, RegisterCount count);

/// On the whole GPU.
std::int64_t residentBlocks(const Device& device, const KernelResources& kernel,
                            RegisterCount count);

/// Registers per thread that cost no occupancy: all threads the multiprocessor can hold have them.
int freeRegisters(const SmLimits& limits);

/// The most registers a thread may have so that `blocks` blocks of `threads` threads fit on a
/// multiprocessor: what __launch_bounds__(threads, blocks) makes the compiler keep to, and
/// __maxnreg__(registers). A number of blocks that no kernel reaches does not count; 0 stands for
/// what is not given.
int mostRegisters(const SmLimits& limits, int threads, int blocks, int registers);

} // namespace heddle::machine
