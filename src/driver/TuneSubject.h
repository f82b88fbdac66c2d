// SPDX-License-Identifier: Apache-2.0
//
// The program that `heddle tune` searches: as it ran, as it is written, and who takes its times.
#pragma once

#include "driver/Places.h"
#include "driver/ProgramTrials.h"
#include "driver/TuneCommand.h"
#include "gpu/GpuHere.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace heddle::driver {

struct TuneSubject {
  const TuneOptions& options;      ///< live longer
  std::filesystem::path folder;    ///< ours
  std::optional<gpu::GpuHere> gpu; ///< that times configurations instead of the model
  std::unique_ptr<ProgramTrials> trials;
  Sources sources{};
  /// The most elements that heddle::tuned() was asked for, by kernel.
  std::map<std::string, std::uint64_t> asked{};

  const machine::Device& device() const { return options.run.device.gpu; }
  /// Of the program as it is.
  const profile::ProgramProfile& profile() const { return trials->original().profile; }
};

/// Runs the program as it is, and reads its sources. Refuses macros that change nothing.
Expected<TuneSubject> runOriginal(const TuneOptions& options, const std::filesystem::path& folder,
                                  const ProgramTrials::Report& report);

} // namespace heddle::driver
