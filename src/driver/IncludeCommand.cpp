// SPDX-License-Identifier: Apache-2.0
#include "driver/IncludeCommand.h"

#include "frontend/Toolchain.h"

#include <system_error>

namespace heddle::driver {

namespace fs = std::filesystem;

Expected<std::string> printIncludeFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "include";
  if (fs::is_directory(installed / "heddle", error))
    return installed.string() + "\n";
  HEDDLE_TRY(const frontend::Toolchain toolchain, frontend::Toolchain::open(true));
  if (toolchain.cache() == nullptr)
    return fail(ErrorKind::NotFound,
                "{} is not there, and there is no cache to put the headers into",
                (installed / "heddle").string());
  return toolchain.libraryFolder().string() + "\n";
}

} // namespace heddle::driver
