// SPDX-License-Identifier: Apache-2.0
#include "driver/NvccCheck.h"

#include "frontend/CompilerFlags.h"

#include <system_error>

namespace heddle::driver {

using advise::NvccVerdict;

Expected<NvccCheck> checkWithNvcc(const NvccBuild& nvcc, const RunOptions& options,
                                  const ChangedFiles& changed,
                                  const std::filesystem::path& folder) {
  const std::filesystem::path to = folder / "changed";
  std::error_code error;
  std::filesystem::create_directories(to, error);
  HEDDLE_TRY(const WrittenProgram written,
             writeChanged(options.files, options.flags.common, changed, to));
  for (std::size_t i = 0; i < written.sources.size(); ++i) {
    const std::string& source = written.sources[i];
    if (source == options.files[i] || !options.flags.isCuda(source))
      continue;
    HEDDLE_TRY(const NvccComplaint rewritten, nvcc.compile(source, written.flags));
    if (!rewritten)
      continue;
    HEDDLE_TRY(const NvccComplaint original, nvcc.compile(options.files[i], {}));
    return original ? NvccCheck{NvccVerdict::OriginalFails, *original}
                    : NvccCheck{NvccVerdict::Refuses, *rewritten};
  }
  return NvccCheck{};
}

} // namespace heddle::driver
