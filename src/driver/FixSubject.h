// SPDX-License-Identifier: Apache-2.0
//
// The program that `heddle fix` searches: as it ran, and as it is written.
#pragma once

#include "driver/FixCommand.h"
#include "driver/Places.h"
#include "driver/ProgramTrials.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>

namespace heddle::driver {

struct FixSubject {
  const FixOptions& options;    ///< live longer
  std::filesystem::path folder; ///< ours
  std::unique_ptr<ProgramTrials> trials;
  Sources sources{};

  /// Of the program as it is, with the first input.
  const profile::ProgramProfile& profile() const { return trials->original().profile; }
};

/// Runs the program as it is with every input, and reads its sources. Refuses a place that is none.
Expected<FixSubject> runOriginal(const FixOptions& options, const std::filesystem::path& folder,
                                 const ProgramTrials::Report& report);

/// When a search ends: when its time is spent, or when it is stopped.
struct SearchEnd {
  std::chrono::steady_clock::time_point began;
  double seconds; ///< that it has
  const std::atomic<bool>& stopped;

  double secondsLeft() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    return seconds - spent.count();
  }
};

} // namespace heddle::driver
