// SPDX-License-Identifier: Apache-2.0
//
// A program as it was tuned: from what a store holds to another source and other blocks.
#pragma once

#include "driver/ChangedFiles.h"
#include "driver/Places.h"
#include "driver/RunCommand.h"
#include "profile/GivenBlocks.h"
#include "tune/TunedStore.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// By the text of all files that are read, and by the flags: another hash, another program.
std::string sourceHash(const RunOptions& options, const Sources& sources);

struct TunedProgram {
  ChangedFiles changed;
  std::vector<std::string> flags; ///< of every pass
  profile::GivenBlocks blocks;
  std::vector<std::string> used; ///< "step: block=64 (65536 threads)"
};

/// What is known of the program's kernels on its device. A row of the same arguments comes first,
/// else the newest; blocks of further sizes with the same code are taken where they are nearer.
/// Nothing known is an error that names the next step.
Expected<TunedProgram> findTuned(const RunOptions& options, const Sources& sources);

} // namespace heddle::driver
