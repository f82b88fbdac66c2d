// SPDX-License-Identifier: Apache-2.0
#include "gpu/Nvcc.h"

#include "support/Files.h"
#include "support/Parse.h"
#include "support/Subprocess.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

namespace heddle::gpu {
namespace {

namespace fs = std::filesystem;

/// Folders that may hold nvcc, the user's own choice first.
std::vector<fs::path> candidateFolders() {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("PATH"))
    for (const std::string_view folder : splitText(path, ':'))
      folders.emplace_back(folder);
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* toolkit = std::getenv(name); toolkit != nullptr && *toolkit != '\0')
      folders.push_back(fs::path(toolkit) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  return folders;
}

/// HEDDLE_NVCC; empty where it is not set.
std::string_view setting() {
  const char* value = std::getenv("HEDDLE_NVCC");
  return value != nullptr ? value : "";
}

} // namespace

bool mayUseNvcc() {
  return setting() != "0";
}

Expected<fs::path> findNvcc() {
  if (const fs::path named = setting(); !named.empty() && named != "0") {
    if (fs::is_regular_file(named) && access(named.c_str(), X_OK) == 0)
      return named;
    return fail(ErrorKind::BadInput,
                "HEDDLE_NVCC: '{}' is no program; expected the path of an nvcc, or 0 for none",
                named.string());
  }
  for (const fs::path& folder : candidateFolders()) {
    fs::path nvcc = folder / "nvcc";
    if (!folder.empty() && access(nvcc.c_str(), X_OK) == 0)
      return nvcc;
  }
  return fail(ErrorKind::NotFound,
              "no nvcc on the PATH, below CUDA_HOME or CUDA_PATH, or below /usr/local/cuda; a CUDA "
              "toolkit has it; without --on gpu and --device-code nvcc none is needed");
}

Expected<fs::path> compileForGpu(const fs::path& nvcc, const fs::path& source, const GpuHere& gpu,
                                 const fs::path& folder,
                                 const std::function<void(std::string_view)>& print) {
  const fs::path program = folder / source.stem();
  const fs::path log = folder / "nvcc.log";
  HEDDLE_TRY(Subprocess compiler,
             Subprocess::start({nvcc.string(), "-O3", "-std=c++17", "-arch=" + gpu.architecture,
                                "-o", program.string(), source.string()},
                               {.outputFile = log.string()}));
  const SubprocessEnd end = compiler.wait();
  HEDDLE_TRY(const std::string text, readFile(log));
  if (!text.empty())
    print(text);
  if (end.exitCode != 0)
    return fail(ErrorKind::BadInput, "{} does not compile with {}", source.string(), nvcc.string());
  return program;
}

} // namespace heddle::gpu
