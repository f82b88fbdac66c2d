// SPDX-License-Identifier: Apache-2.0
//
// What `heddle run` tells the program it starts, through the environment.
#pragma once

#include "engine/Launch.h"
#include "machine/Device.h"
#include "profile/GivenRegisters.h"
#include "support/Error.h"
#include "timing/ModelFault.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace heddle::cudart {

/// One byte of a region, by the names of the memory record.
struct WatchedByte {
  std::string region;
  std::uint64_t offset = 0;
};

struct Settings {
  machine::Device device;                                             ///< HEDDLE_DEVICE
  engine::Reconvergence reconvergence = engine::Reconvergence::Volta; ///< HEDDLE_RECONVERGENCE
  std::uint64_t mostInstructions = std::numeric_limits<std::uint64_t>::max(); ///< of one launch
  bool poison = true;                                                         ///< HEDDLE_POISON
  bool progress = false;                                                      ///< HEDDLE_PROGRESS
  bool keepGoing = false; ///< HEDDLE_KEEP_GOING: a fault leaves a sticky error, as on a GPU
  int workers = 0;        ///< HEDDLE_WORKERS; 0 for one per core
  profile::GivenRegisters registers; ///< HEDDLE_REGISTERS: by kernel, over what we find
  bool askPtxas = true; ///< HEDDLE_PTXAS: for registers, where a CUDA toolkit is installed
  bool useCache = true; ///< HEDDLE_CACHE
  timing::ModelFault modelFault = timing::ModelFault::None; ///< HEDDLE_MODEL_FAULT
  std::string record;      ///< HEDDLE_RECORD: where the memory record goes; empty for none
  bool fixedClock = false; ///< HEDDLE_CLOCK=fixed: the program cannot tell how long anything took
  std::string
      touches; ///< HEDDLE_TOUCHES: where the report on threads that depend on each other goes
  std::optional<WatchedByte> watch; ///< HEDDLE_WATCH
};

/// Nullptr for a variable that is not set, as std::getenv does.
using Environment = std::function<const char*(const char*)>;

/// A refusal names the variable.
Expected<Settings> readSettings(const Environment& environment);

} // namespace heddle::cudart
