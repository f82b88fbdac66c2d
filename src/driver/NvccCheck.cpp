// SPDX-License-Identifier: Apache-2.0
#include "driver/NvccCheck.h"

#include <system_error>

namespace heddle::driver {

using advise::NvccVerdict;

Expected<NvccCheck> checkWithNvcc(const NvccBuild& nvcc, const ChangedFiles& changed,
                                  const std::filesystem::path& folder) {
  const std::filesystem::path to = folder / "changed";
  std::error_code error;
  std::filesystem::create_directories(to, error);
  for (const auto& [file, text] : changed) {
    HEDDLE_TRY(const std::vector<std::string> written, writeChanged({file}, changed, to));
    HEDDLE_TRY(const NvccComplaint rewritten, nvcc.compile(written.front()));
    if (!rewritten)
      continue;
    HEDDLE_TRY(const NvccComplaint original, nvcc.compile(file));
    return original ? NvccCheck{NvccVerdict::OriginalFails, *original}
                    : NvccCheck{NvccVerdict::Refuses, *rewritten};
  }
  return NvccCheck{};
}

} // namespace heddle::driver
