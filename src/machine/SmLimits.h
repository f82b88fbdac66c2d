// SPDX-License-Identifier: Apache-2.0
//
// What one multiprocessor of a compute capability can hold. The table itself is SmLimits.def.
#pragma once

#include "machine/ComputeCapability.h"
#include "support/Error.h"

#include <array>
#include <cstdint>
#include <span>

namespace heddle::machine {

enum class RegisterRule { PerBlock, PerWarp, PerWarpFermi };

struct SmLimits {
  ComputeCapability computeCapability;
  int warps = 0;
  int blocks = 0;
  int threadsPerBlock = 0;
  int registers = 0;
  int registersPerBlock = 0;
  int registersPerThread = 0;
  int registerUnit = 0;
  RegisterRule registerRule = RegisterRule::PerWarp;
  int partitions = 0;
  int sharedUnit = 0;
  int sharedPerBlock = 0;      ///< bytes, without opting in
  int sharedPerBlockOptIn = 0; ///< bytes, with cudaFuncAttributeMaxDynamicSharedMemorySize
  int sharedReserved = 0;      ///< bytes the system takes from each block
  int barriers = 0;            ///< 0: barriers do not limit residency

  /// The sizes in bytes that shared memory can be given, ascending.
  std::span<const int> sharedSizes() const { return {sizes.data(), std::size_t(sizeCount)}; }
  int sharedPerSm() const { return sizes[std::size_t(sizeCount) - 1]; }

  std::array<int, 10> sizes{};
  int sizeCount = 0;
};

/// Every known compute capability, ascending.
std::span<const SmLimits> allSmLimits();

Expected<SmLimits> findSmLimits(ComputeCapability computeCapability);

} // namespace heddle::machine
