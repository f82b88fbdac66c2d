// SPDX-License-Identifier: Apache-2.0
//
// A program as it is and as it was rewritten, on this machine's GPU.
#pragma once

#include "driver/ChangedFiles.h"
#include "driver/NvccBuild.h"
#include "driver/RunCommand.h"
#include "gpu/GpuHere.h"

namespace heddle::driver {

/// Seconds of all kernels together, the median of several runs.
struct GpuTimes {
  int runs = 0; ///< of each
  double before = 0;
  double after = 0;
};

/// Builds both with nvcc and runs them in turns, with the user's arguments. An error says why that
/// was not possible.
Expected<GpuTimes> measureOnGpu(const NvccBuild& nvcc, const gpu::GpuHere& gpu,
                                const RunOptions& options, const ChangedFiles& changed,
                                const std::filesystem::path& folder);

/// Builds one of them and runs it: seconds of all kernels together, the median of several runs,
/// told these settings.
Expected<double> timeOnce(const NvccBuild& nvcc, const gpu::GpuHere& gpu, const RunOptions& options,
                          const ChangedFiles& changed, const profile::ProgramSettings& settings,
                          const std::filesystem::path& folder);

} // namespace heddle::driver
