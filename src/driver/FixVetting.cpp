// SPDX-License-Identifier: Apache-2.0
//
//   1. nvcc compiles the files that changed.
//   2. Where there is a GPU, both programs run on it.
#include "driver/FixVetting.h"

#include "driver/GpuTimes.h"
#include "driver/NvccCheck.h"
#include "driver/RunRefusals.h"
#include "gpu/Nvcc.h"
#include "machine/DeviceCatalog.h"

namespace heddle::driver {
namespace {

using advise::NvccVerdict;

bool isModelled(const gpu::GpuHere& gpu, const machine::Device& device) {
  const auto here = machine::findDevice(gpu.name);
  return here && here->name == device.name;
}

std::string microseconds(double seconds) {
  return fmt::format("{:.4g} us", seconds * 1e6);
}

/// On another GPU than the modelled one, to be slower is worth a word but no reason.
void judge(const GpuTimes& times, bool modelled, advise::Fix& fix) {
  fix.before.measuredSeconds = times.before;
  fix.after.measuredSeconds = times.after;
  fix.measurement.runs = times.runs;
  fix.measurement.speedup = times.before / times.after;
  if (modelled && times.after > times.before)
    withdraw(fix, std::string(runRefusals["measured-slower"].id),
             fmt::format("on this GPU it is slower: {} before, {} after, {:.2f}x on {}; predicted "
                         "were {:.2f}x",
                         microseconds(times.before), microseconds(times.after),
                         fix.measurement.speedup, fix.measurement.gpu,
                         fix.measurement.predictedSpeedup));
}

} // namespace

Expected<void> vetFix(const RunOptions& options, const ChangedFiles& changed,
                      const std::filesystem::path& folder,
                      const std::function<void(const std::string&)>& report, advise::Fix& fix) {
  if (fix.applied.empty())
    return {};
  fix.proof.nvcc = gpu::mayUseNvcc() ? NvccVerdict::NotFound : NvccVerdict::Off;
  if (!gpu::mayUseNvcc())
    return {};
  const auto nvcc = NvccBuild::open(options, folder);
  if (!nvcc)
    return {};
  // Step 1
  report("nvcc on the result");
  HEDDLE_TRY(const NvccCheck check, checkWithNvcc(*nvcc, options, changed, folder));
  fix.proof.nvcc = check.verdict;
  fix.proof.nvccVersion = nvcc->version();
  if (check.verdict == NvccVerdict::Refuses)
    withdraw(fix, std::string(runRefusals["nvcc-refuses"].id), check.complaint);
  // Step 2
  const auto gpu = gpu::findGpu();
  if (check.verdict != NvccVerdict::Compiles || !gpu)
    return {};
  report("the result on the GPU");
  fix.measurement.gpu = gpu->name;
  const auto times = measureOnGpu(*nvcc, *gpu, options, changed, folder / "gpu");
  if (times)
    judge(*times, isModelled(*gpu, options.device.gpu), fix);
  else
    fix.measurement.note = times.error().message;
  return {};
}

} // namespace heddle::driver
