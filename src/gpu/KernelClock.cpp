// SPDX-License-Identifier: Apache-2.0
#include "gpu/KernelClock.h"

#include "support/EmbeddedFile.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/Subprocess.h"

#include <span>
#include <system_error>

namespace heddle::gpu {

/// kernel_clock.cu and measure_bundle.py, built into the program.
std::span<const EmbeddedFile> embeddedClock();

namespace {

namespace fs = std::filesystem;

/// Milliseconds, one launch a line, as seconds.
Expected<double> sumOfTimes(std::string_view text) {
  double milliseconds = 0;
  for (const std::string_view line : splitText(text, '\n'))
    if (!line.empty()) {
      HEDDLE_TRY(const double each, parseNumber(line));
      milliseconds += each;
    }
  if (milliseconds <= 0)
    return fail(ErrorKind::BadInput, "no kernel was launched by <<<>>>");
  return milliseconds * 1e-3;
}

/// What a program said last, as far as it fits into a message.
std::string lastLine(std::string text) {
  text.erase(text.find_last_not_of(" \r\n") + 1);
  return text.substr(text.rfind('\n') + 1).substr(0, 200);
}

} // namespace

Expected<fs::path> writeKernelClock(const fs::path& folder) {
  const EmbeddedFile& source = embeddedClock().front();
  const fs::path path = folder / source.name;
  HEDDLE_CHECK(writeFile(path, source.text));
  return path;
}

Expected<fs::path> writeMeasuringScript(const fs::path& folder) {
  fs::path path = folder / "measure";
  HEDDLE_CHECK(writeFile(path, embeddedClock().back().text));
  return path;
}

Expected<double> timeKernels(const fs::path& program, const std::vector<std::string>& arguments,
                             const GpuHere& gpu,
                             const std::vector<std::pair<std::string, std::string>>& more) {
  const fs::path times = fs::path(program).concat(".times");
  std::error_code error;
  fs::remove(times, error);
  auto environment = gpu.environment();
  environment.emplace_back("HEDDLE_KERNEL_TIMES", times.string());
  environment.emplace_back("CUDA_MODULE_LOADING", "EAGER");
  environment.insert(environment.end(), more.begin(), more.end());
  std::vector<std::string> command = {program.filename().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string output = fs::path(program).concat(".out").string();
  HEDDLE_TRY(Subprocess child, Subprocess::start(command, {.program = program.string(),
                                                           .outputFile = output,
                                                           .environment = environment}));
  const SubprocessEnd end = child.wait();
  HEDDLE_TRY(const std::string printed, readFile(output));
  if (end.exitCode != 0)
    return fail(ErrorKind::BadInput, "the program ended with status {}: {}", end.exitCode,
                lastLine(printed));
  if (!fs::exists(times, error))
    return fail(ErrorKind::BadInput, "no kernel was launched by <<<>>>");
  HEDDLE_TRY(const std::string text, readFile(times));
  return sumOfTimes(text);
}

} // namespace heddle::gpu
