// SPDX-License-Identifier: Apache-2.0
#include "driver/Trial.h"

#include "driver/DeviceCode.h"
#include "frontend/LinkHost.h"
#include "frontend/ProgramBuilder.h"
#include "profile/ProfileJson.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/Subprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include <poll.h>
#include <unistd.h>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

constexpr int patienceMilliseconds = 2000;

/// All that comes, until the other side closes it.
Expected<std::string> readAll(int descriptor) {
  pollfd ready = {.fd = descriptor, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, patienceMilliseconds) == 0)
    fmt::print(stderr, "heddle: the program's standard input is read first; end it, or start with "
                       "'< /dev/null'\n");
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t size = read(descriptor, part.data(), part.size());
    if (size < 0 && errno == EINTR)
      continue;
    if (size < 0 && errno != EBADF) // none is as good as an empty one
      return fail(ErrorKind::Io, "cannot read standard input: {}", std::strerror(errno));
    if (size <= 0)
      return text;
    text.append(part.data(), std::size_t(size));
  }
}

TrialDifference memoryDifference(const profile::RecordDifference& found) {
  TrialDifference difference{.text = found.text()};
  if (!found.afterRegion.empty())
    difference.watch = fmt::format("{}:{}", found.afterRegion, found.offset);
  difference.copy = found.copy;
  return difference;
}

} // namespace

Expected<void> TrialBench::giveInput(int descriptor) {
  HEDDLE_TRY(const std::string text, readAll(descriptor));
  input_ = (folder_ / "input").string();
  return writeFile(input_, text);
}

Expected<fs::path> TrialBench::newFolder() {
  const fs::path folder = folder_ / fmt::format("{}", count_++);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::Io, "cannot create the folder {}: {}", folder.string(), error.message());
  return folder;
}

Expected<fs::path> TrialBench::build(const ChangedFiles& changed,
                                     const std::vector<std::string>& flags,
                                     const std::vector<std::string>& deviceFlags) {
  HEDDLE_TRY(const fs::path folder, newFolder());
  HEDDLE_TRY(const fs::path runtime, frontend::findRuntime());
  frontend::BuildOptions build{.program = {},
                               .runtime = runtime,
                               .useCache = options_.useCache,
                               .keepResults = changed.empty() && flags.empty(),
                               .diagnostics = {}};
  HEDDLE_TRY(build.program, writeChanged(options_.program, changed, folder));
  build.program.changeFlags([&](frontend::CompilerFlags& each) {
    each.common.insert(each.common.end(), flags.begin(), flags.end());
    each.device.insert(each.device.end(), deviceFlags.begin(), deviceFlags.end());
  });
  if (!code_) {
    HEDDLE_TRY(code_, chooseDeviceCode(options_.deviceCode, options_.device.gpu));
  }
  HEDDLE_TRY(const frontend::BuiltProgram program, buildWith(*code_, build, folder));
  code_->mayBeClang = false; // times of one compiler's code say nothing of another's
  return program.path;
}

Expected<Trial> TrialBench::runBuilt(const fs::path& program,
                                     const std::vector<std::string>& arguments,
                                     const profile::ProgramSettings& extra, Recording recording,
                                     HostMemory hostMemory) {
  HEDDLE_TRY(const fs::path folder, newFolder());
  Trial trial{.folder = folder};
  const fs::path left = folder / "profile.json", output = folder / "output",
                 files = folder / "files";
  std::error_code error;
  fs::create_directory(files, error);
  profile::ProgramSettings settings = programSettings(options_, left);
  settings.set(profile::Setting::Clock, "fixed");
  settings.set(profile::Setting::Progress, false);
  settings.set(profile::Setting::Writes, files.string());
  if (recording == Recording::On) {
    trial.record = folder / "record";
    settings.set(profile::Setting::Record, trial.record.string());
  }
  if (inOrder_)
    settings.set(profile::Setting::Workers, 1);
  settings.set(profile::Setting::Strays, letsStraysPass_);
  settings.add(extra);
  std::vector<std::string> command = {program.filename().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  HEDDLE_TRY(Subprocess child,
             Subprocess::start(command, {.program = program.string(),
                                         .inputFile = input_,
                                         .outputFile = output.string(),
                                         .sameAddresses = hostMemory == HostMemory::Same,
                                         .environment = environmentOf(settings)}));
  const SubprocessEnd end = child.wait();
  trial.status = end.exitCode;
  trial.files = profile::listWritten(files, fs::current_path(error));
  HEDDLE_TRY(trial.printed, readFile(output));
  HEDDLE_TRY(const std::string text, readFile(left));
  HEDDLE_TRY(trial.profile, profile::readProfile(text, "the program's profile"));
  if (recording == Recording::Off)
    removeKept(trial);
  return trial;
}

Expected<Trial> TrialBench::run(const ChangedFiles& changed,
                                const std::vector<std::string>& arguments,
                                const profile::ProgramSettings& extra,
                                const std::vector<std::string>& deviceFlags) {
  HEDDLE_TRY(const fs::path program, build(changed, {}, deviceFlags));
  auto trial = runBuilt(program, arguments, extra);
  std::error_code error;
  fs::remove(program, error);
  return trial;
}

profile::Tolerance toleranceOf(bool sumsFloats, double asked) {
  const profile::Tolerance least = sumsFloats ? floatSums : profile::Tolerance{};
  return {.floats = std::max(least.floats, asked), .doubles = std::max(least.doubles, asked)};
}

void removeKept(const Trial& trial) {
  std::error_code error;
  fs::remove_all(trial.folder, error);
}

Expected<TrialComparison> compareTrials(const Trial& before, const Trial& after,
                                        const TrialEquality& equality) {
  TrialComparison result;
  if (after.profile.ending != profile::Ending::Complete &&
      before.profile.ending == profile::Ending::Complete) {
    result.difference = TrialDifference{.text = "it stops: " + after.profile.fault};
    return result;
  }
  if (auto beyond = profile::strayBeyond(before.profile.strays, after.profile.strays)) {
    result.difference = TrialDifference{.text = *std::move(beyond)};
    return result;
  }
  HEDDLE_TRY(
      const profile::RecordComparison memory,
      profile::compareRecords(before.record, after.record, equality.tolerance, equality.reordered));
  result.bytes = memory.bytes;
  result.largest = memory.largest;
  if (memory.difference)
    result.difference = memoryDifference(*memory.difference);
  else if (before.status != after.status)
    result.difference = TrialDifference{
        .text = fmt::format("its status was {} and is {}", before.status, after.status)};
  else if (!equality.ignoreOutput) {
    const double tolerance = equality.tolerance.floats;
    auto output = equality.varying.difference(before.printed, after.printed, tolerance);
    if (!output) {
      HEDDLE_TRY(output, equality.files.difference(before.files, after.files, tolerance));
    }
    if (output)
      result.difference = TrialDifference{.text = *std::move(output), .isPrinted = true};
  }
  return result;
}

} // namespace heddle::driver
