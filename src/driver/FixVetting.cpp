// SPDX-License-Identifier: Apache-2.0
#include "driver/FixVetting.h"

#include "driver/NvccCheck.h"
#include "gpu/Nvcc.h"

namespace heddle::driver {

using advise::NvccVerdict;

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
  report("what nvcc says");
  HEDDLE_TRY(const NvccCheck check, checkWithNvcc(*nvcc, changed, folder));
  fix.proof.nvcc = check.verdict;
  fix.proof.nvccVersion = nvcc->version();
  if (check.verdict == NvccVerdict::Refuses)
    withdraw(fix, "nvcc-refuses", check.complaint);
  return {};
}

} // namespace heddle::driver
