// SPDX-License-Identifier: Apache-2.0
//
// What stopped a launch before its end.
#pragma once

#include "support/LaneMask.h"

#include <cstdint>
#include <string>

namespace heddle::engine {

enum class FaultKind {
  IllegalAddress,    ///< not in live memory
  MisalignedAddress, ///< live, but no multiple of the access size
  DivergentBarrier,  ///< a barrier that not all threads of the block reach
  BadBarrier,        ///< a numbered barrier that can never be met, or that there is not
  MissingLanes,      ///< a warp function whose mask names lanes that do not take part
  UnnamedLane,       ///< a lane that calls a warp function with a mask that does not name it
  StackOverflow,
  InstructionBudget,
  Assert,
  Trap,
  Hang, ///< every thread waits for another one
  Interrupted,
};

struct Fault {
  FaultKind kind = FaultKind::Trap;
  std::string message;  ///< one line: place, kernel, block and thread, what was found
  bool mayPass = false; ///< an access that LaunchSettings::letsStraysPass lets pass
};

} // namespace heddle::engine
