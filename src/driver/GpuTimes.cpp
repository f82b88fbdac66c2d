// SPDX-License-Identifier: Apache-2.0
#include "driver/GpuTimes.h"

#include "gpu/KernelClock.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

constexpr int samples = 5; ///< odd, so that one of them is the median

Expected<fs::path> buildForGpu(const NvccBuild& nvcc, const gpu::GpuHere& gpu,
                               const RunOptions& options, const ChangedFiles& changed,
                               const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  HEDDLE_TRY(frontend::ProgramSpec written, writeChanged(options.program, changed, folder));
  HEDDLE_TRY(const fs::path clock, gpu::writeKernelClock(folder));
  written.files.push_back(clock.string());
  written.own[clock.string()] = {};
  const fs::path program = folder / "program";
  HEDDLE_TRY(const NvccComplaint complaint, nvcc.build(written, gpu, program));
  if (complaint)
    return fail(ErrorKind::BadInput, "nvcc does not build the program: {}", *complaint);
  return program;
}

double medianOf(std::array<double, samples> times) {
  std::ranges::nth_element(times, times.begin() + samples / 2);
  return times[samples / 2];
}

} // namespace

Expected<GpuTimes> measureOnGpu(const NvccBuild& nvcc, const gpu::GpuHere& gpu,
                                const RunOptions& options, const ChangedFiles& changed,
                                const fs::path& folder) {
  HEDDLE_TRY(const fs::path original, buildForGpu(nvcc, gpu, options, {}, folder / "before"));
  HEDDLE_TRY(const fs::path rewritten, buildForGpu(nvcc, gpu, options, changed, folder / "after"));
  std::array<double, samples> before = {}, after = {};
  for (std::size_t i = 0; i < samples; ++i) {
    HEDDLE_TRY(before[i], gpu::timeKernels(original, options.arguments, gpu));
    HEDDLE_TRY(after[i], gpu::timeKernels(rewritten, options.arguments, gpu));
  }
  return GpuTimes{samples, medianOf(before), medianOf(after)};
}

Expected<double> timeOnce(const NvccBuild& nvcc, const gpu::GpuHere& gpu, const RunOptions& options,
                          const ChangedFiles& changed, const profile::ProgramSettings& settings,
                          const fs::path& folder) {
  HEDDLE_TRY(const fs::path program, buildForGpu(nvcc, gpu, options, changed, folder));
  std::array<double, samples> times = {};
  for (double& time : times) {
    HEDDLE_TRY(time, gpu::timeKernels(program, options.arguments, gpu, settings.variables()));
  }
  return medianOf(times);
}

} // namespace heddle::driver
