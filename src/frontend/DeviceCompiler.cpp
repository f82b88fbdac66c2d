// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceCompiler.h"

#include "support/EmbeddedFile.h"
#include "support/Files.h"
#include "support/Subprocess.h"

#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>

namespace heddle::frontend {

/// cuda/include/compat, built into the program.
std::span<const EmbeddedFile> embeddedCompat();

namespace {

namespace fs = std::filesystem;

/// A folder of our own that is gone afterwards.
class TemporaryFolder {
public:
  static Expected<TemporaryFolder> make() {
    std::string pattern = (fs::temp_directory_path() / "heddle-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      return fail(ErrorKind::Io, "cannot create a folder in {}",
                  fs::temp_directory_path().string());
    return TemporaryFolder(pattern);
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty())
      fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

private:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}

  fs::path path_;
};

Expected<void> writeCompat(const fs::path& folder) {
  for (const EmbeddedFile& file : embeddedCompat()) {
    std::error_code error;
    fs::create_directories((folder / file.name).parent_path(), error);
    HEDDLE_CHECK(writeFile(folder / file.name, file.text));
  }
  return {};
}

} // namespace

Expected<std::string> compileDevice(const std::string& sourceFile, const CompileOptions& options) {
  HEDDLE_CHECK(readFile(sourceFile)); // our own words for a file that cannot be read
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const fs::path include = folder.path() / "include";
  const fs::path output = folder.path() / "device.bc";
  HEDDLE_CHECK(writeCompat(include));
  std::vector<std::string> command = {"clang++-19",
                                      "-x",
                                      "cuda",
                                      "--cuda-gpu-arch=sm_90",
                                      "-nocudainc",
                                      "-nocudalib",
                                      "--cuda-path=/nonexistent",
                                      "-Xclang",
                                      "-target-sdk-version=12.5",
                                      "-fdeclspec",
                                      "-include",
                                      "heddle_prelude.h",
                                      "--cuda-device-only",
                                      "-Xclang",
                                      "-target-feature",
                                      "-Xclang",
                                      "+ptx85",
                                      "-Xclang",
                                      "-no-enable-noundef-analysis",
                                      "-gline-tables-only",
                                      "-O2",
                                      "-emit-llvm",
                                      "-c",
                                      "-o",
                                      output.string(),
                                      "-I",
                                      include.string()};
  command.insert(command.end(), options.clangFlags.begin(), options.clangFlags.end());
  command.push_back(sourceFile);
  const auto done = runSubprocess(command);
  if (!done)
    return fail(ErrorKind::Io, "{}; CUDA files need clang 19 (Debian: apt install clang-19)",
                done.error().message);
  if (done->exitCode != 0)
    return fail(ErrorKind::BadInput, "{} does not compile:\n{}", sourceFile, done->output);
  return readFile(output);
}

} // namespace heddle::frontend
