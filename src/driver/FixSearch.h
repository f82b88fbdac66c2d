// SPDX-License-Identifier: Apache-2.0
//
// The search for rewrites that pay.
//
//   1. The program runs as it is: where are lanes lost, and what does its memory hold?
//   2. Every rewrite is asked for every place that loses enough: what it proposes, or why not.
//      Those that change the order between threads need a run in which no thread touched what
//      another one wrote.
//   3. Every proposal runs on the engine with the same input. One whose results differ is
//      withdrawn, one that is not faster is refused.
//   4. The best are put together, as long as they do not touch the same lines and together are
//      faster still.
#pragma once

#include "driver/FixBundle.h"
#include "driver/FixChoice.h"
#include "driver/FixSubject.h"

#include <atomic>
#include <filesystem>
#include <vector>

namespace heddle::driver {

struct FixResult {
  advise::Fix fix{};
  ChangedFiles changed{};            ///< the files as the rewrites that it applied leave them
  std::vector<ProvenForm> forms{};   ///< that are right and may pay, then all put together
  profile::ProgramProfile profile{}; ///< of the program as it is, with the first input
  Sources sources{};
};

/// `folder` is ours. `choose` is asked for each that pays, the best first; without it all are
/// taken. Once `stopped` is true nothing more is begun: what was proven by then is the answer.
Expected<FixResult> searchFixes(const FixOptions& options, const std::filesystem::path& folder,
                                const ProgramTrials::Report& report, const Choose& choose,
                                const std::atomic<bool>& stopped);

} // namespace heddle::driver
