// SPDX-License-Identifier: Apache-2.0
#include "frontend/LinkHost.h"

#include "support/Files.h"

#include <llvm/Support/Program.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <system_error>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

/// Names that the linker missed and a toolkit would have.
std::vector<std::string> missingCuda(const std::string& log) {
  static const std::regex missing(
      "undefined (symbol: |reference to [`'])((cuda|cu[A-Z]|cu(blas|fft|rand|sparse|solver|dnn)|"
      "nvrtc|nvml|nccl|npp)\\w*)");
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(log.begin(), log.end(), missing);
       at != std::sregex_iterator(); ++at)
    names.insert((*at)[2]);
  return {names.begin(), names.end()};
}

Error refusal(const LinkOptions& options, const std::string& log) {
  static const std::regex noMain("undefined (symbol: |reference to [`'])main\\b");
  if (std::regex_search(log, noMain))
    return {ErrorKind::BadInput,
            fmt::format("{} has no main function; 'heddle profile' runs a kernel without a host "
                        "program",
                        options.name)};
  static const std::regex noOpenMp("(unable to find library|cannot find) -lomp\\b");
  if (std::regex_search(log, noOpenMp))
    return {ErrorKind::NotFound,
            "-fopenmp needs clang's OpenMP library (Debian: apt install libomp-19-dev)"};
  if (const auto missing = missingCuda(log); !missing.empty())
    return {ErrorKind::Unsupported, fmt::format("{} calls what heddle does not provide yet: {}",
                                                options.name, fmt::join(missing, ", "))};
  return compileError(options.name + " does not link", log, options.diagnostics);
}

} // namespace

Expected<fs::path> findRuntime() {
  std::error_code error;
  const char* given = std::getenv("HEDDLE_CUDART");
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path runtime =
      given != nullptr && *given != '\0'
          ? fs::absolute(given, error)
          : program.parent_path().parent_path() / "lib" / "libheddle_cudart.so";
  if (!fs::is_regular_file(runtime, error))
    return fail(ErrorKind::NotFound,
                "the runtime library {} is missing; it lies beside heddle's bin folder, or where "
                "HEDDLE_CUDART says",
                runtime.string());
  return runtime;
}

std::vector<std::string> linkCommand(const LinkOptions& options) {
  std::vector<std::string> command = {compilerName, "-o", options.output.string()};
  if (llvm::sys::findProgramByName("ld.lld"))
    command.emplace_back("-fuse-ld=lld");
  if (options.shared)
    command.emplace_back("-shared");
#ifdef HEDDLE_SANITIZER
  command.insert(command.end(), {"-Wl,--no-as-needed", HEDDLE_SANITIZER});
#endif
  command.insert(command.end(), options.inputs.begin(), options.inputs.end());
  command.push_back(options.runtime.string());
  command.push_back("-Wl,-rpath," + options.runtime.parent_path().string());
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  return command;
}

Expected<void> linkHost(const LinkOptions& options, const fs::path& folder) {
  const fs::path log = folder / "link.log";
  SubprocessOptions settings;
  settings.outputFile = log.string();
  HEDDLE_TRY(Subprocess linker, Subprocess::start(linkCommand(options), settings));
  const SubprocessEnd end = linker.wait();
  HEDDLE_TRY(const std::string text, readFile(log));
  if (end.exitCode != 0)
    return tl::unexpected(refusal(options, text));
  return {};
}

} // namespace heddle::frontend
