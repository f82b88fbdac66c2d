// SPDX-License-Identifier: Apache-2.0
//
// What compiled code sees of the warp it runs for. A frame begins with this context; the slots of
// values that live across basic blocks follow (FrameLayout.h).
#pragma once

#include "support/LaneMask.h"

#include <cstddef>
#include <cstdint>

namespace heddle::engine {

class AddressMap;

/// The first access of a launch that touched no live memory.
struct AccessFault {
  bool found = false;
  std::uint32_t site = 0; ///< index of the memory instruction
  int lane = 0;
  std::uint64_t address = 0;
};

struct WarpContext {
  std::int32_t threadIdx[3][warpSize];
  std::int32_t blockDim[3];
  std::int32_t blockIdx[3];
  std::int32_t gridDim[3];
  std::byte* shared;
  const std::byte* arguments;
  std::byte* local; ///< warpSize times the local memory of a thread
  const AddressMap* addresses;
  AccessFault* fault;
};

} // namespace heddle::engine
