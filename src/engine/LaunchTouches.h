// SPDX-License-Identifier: Apache-2.0
//
// What is asked of the memory accesses of one launch, and the answers. Noting every access makes a
// launch many times slower, and it runs on one thread.
#pragma once

#include "engine/TouchedBytes.h"

#include <cstdint>
#include <optional>

namespace heddle::engine {

struct LaunchTouches {
  // Asked
  bool inGlobal = false;                ///< do threads depend on each other through global memory?
  bool inShared = false;                ///< through the shared memory of their block?
  std::optional<std::uint64_t> watched; ///< who writes the byte at this address last?

  // Answered: the first conflict; in shared memory its address is an offset
  std::optional<TouchConflict> global;
  std::optional<TouchConflict> shared;
  std::optional<Touch> lastWrite;

  TouchedBytes bytes; ///< of global memory
};

} // namespace heddle::engine
