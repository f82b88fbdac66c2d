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
  const frontend::ProgramSpec& program = options.program;
  HEDDLE_TRY(const frontend::ProgramSpec written, writeChanged(program, changed, to));
  for (std::size_t i = 0; i < written.files.size(); ++i) {
    const std::string& source = written.files[i];
    if (source == program.files[i] || !written.isCuda(source))
      continue;
    HEDDLE_TRY(const NvccComplaint rewritten, nvcc.compile(written, source));
    if (!rewritten)
      continue;
    HEDDLE_TRY(const NvccComplaint original, nvcc.compile(program, program.files[i]));
    return original ? NvccCheck{NvccVerdict::OriginalFails, *original}
                    : NvccCheck{NvccVerdict::Refuses, *rewritten};
  }
  return NvccCheck{};
}

} // namespace heddle::driver
