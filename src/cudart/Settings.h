// SPDX-License-Identifier: Apache-2.0
//
// What `heddle run` tells the program it starts, through the environment.
#pragma once

#include "engine/CodeForm.h"
#include "launch/LaunchService.h"
#include "machine/Device.h"
#include "profile/GivenBlocks.h"
#include "support/Error.h"
#include "timing/ModelFault.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heddle::cudart {

/// One byte of a region, by the names of the memory record.
struct WatchedByte {
  std::string region;
  std::uint64_t offset = 0;
};

struct Settings {
  machine::Device device; ///< HEDDLE_DEVICE
  /// What holds for all launches: HEDDLE_RECONVERGENCE, HEDDLE_MAX_INSTRUCTIONS, HEDDLE_WORKERS,
  /// HEDDLE_CLOCK=fixed (the program cannot tell how long anything took), HEDDLE_STRAYS,
  /// HEDDLE_BACKWARDS.
  engine::LaunchSettings run;
  launch::RegisterSources registers; ///< HEDDLE_REGISTERS, HEDDLE_PTXAS, HEDDLE_CACHE
  profile::GivenBlocks blocks;       ///< HEDDLE_BLOCKS: other sizes than the program launches
  bool poison = true;                ///< HEDDLE_POISON
  bool progress = false;             ///< HEDDLE_PROGRESS
  bool keepGoing = false; ///< HEDDLE_KEEP_GOING: a fault leaves a sticky error, as on a GPU
  engine::CodeForm codeForm = engine::CodeForm::Full;       ///< HEDDLE_CODE, for tests
  timing::ModelFault modelFault = timing::ModelFault::None; ///< HEDDLE_MODEL_FAULT
  bool timeline = false; ///< HEDDLE_TIMELINE: when blocks run, by the timing model
  int recordedWarps = 0; ///< HEDDLE_RECORD_WARPS: of each kernel, in full
  std::string record;    ///< HEDDLE_RECORD: where the memory record goes; empty for none
  std::string
      touches; ///< HEDDLE_TOUCHES: where the report on threads that depend on each other goes
  std::optional<WatchedByte> watch; ///< HEDDLE_WATCH
};

/// Nullptr for a variable that is not set, as std::getenv does.
using Environment = std::function<const char*(const char*)>;

/// A refusal names the variable.
Expected<Settings> readSettings(const Environment& environment);

} // namespace heddle::cudart
