// SPDX-License-Identifier: Apache-2.0
#include "driver/RunCommand.h"

#include "driver/Advice.h"
#include "driver/CheckCommand.h"
#include "driver/CompilerOutput.h"
#include "driver/DeviceCode.h"
#include "driver/KernelRegisters.h"
#include "frontend/ProgramBuilder.h"
#include "machine/DeviceCatalog.h"
#include "profile/ProfileJson.h"
#include "report/ProfileReport.h"
#include "support/Files.h"
#include "support/StopSignals.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using profile::Ending;
using profile::ProgramProfile;

Expected<void> validate(const RunOptions& options) {
  for (const std::string& file : options.files)
    HEDDLE_CHECK(readFile(file));
  HEDDLE_CHECK(machine::resolveDevice(options.device));
  if (options.mostInstructions && *options.mostInstructions < 1)
    return fail(ErrorKind::BadInput, "--max-instructions {}: expected at least 1",
                *options.mostInstructions);
  if (options.workers && (*options.workers < 1 || *options.workers > 4096))
    return fail(ErrorKind::BadInput, "--threads {}: expected 1 to 4096", *options.workers);
  if (options.lines < 0)
    return fail(ErrorKind::BadInput, "--top {}: expected at least 0", options.lines);
  std::error_code error; // better now than after a long run
  const fs::path folder = fs::path(options.profileFile).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    return fail(ErrorKind::Io, "cannot write {}: there is no folder {}", options.profileFile,
                folder.string());
  return {};
}

/// A device file by its full path: the program may change its folder.
std::string deviceName(const std::string& device) {
  std::error_code error;
  return fs::is_regular_file(device, error) ? fs::absolute(device, error).string() : device;
}

/// What the runtime library reads; docs/design/running.md lists it.
std::vector<std::pair<std::string, std::string>> environment(const RunOptions& options,
                                                             const fs::path& profile) {
  std::vector<std::pair<std::string, std::string>> variables = {
      {"HEDDLE_PROFILE", profile.string()},
      {"HEDDLE_DEVICE", deviceName(options.device)},
      {"HEDDLE_CACHE", options.useCache ? "1" : "0"},
      {"HEDDLE_POISON", options.poison ? "1" : "0"},
      {"HEDDLE_KEEP_GOING", options.keepGoing ? "1" : "0"},
      {"HEDDLE_PROGRESS", isTerminal(stderr) ? "1" : "0"}};
  if (!options.reconvergence.empty())
    variables.emplace_back("HEDDLE_RECONVERGENCE", options.reconvergence);
  if (options.mostInstructions)
    variables.emplace_back("HEDDLE_MAX_INSTRUCTIONS", std::to_string(*options.mostInstructions));
  if (options.workers)
    variables.emplace_back("HEDDLE_WORKERS", std::to_string(*options.workers));
  if (!options.registers.empty())
    variables.emplace_back("HEDDLE_REGISTERS", profile::writeGivenRegisters(options.registers));
#ifdef __SANITIZE_ADDRESS__
  // What a program leaks, and how it ends, is its own.
  variables.emplace_back(
      "ASAN_OPTIONS",
      "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0");
#endif
  return variables;
}

/// What the program left. One that ended before it could write has launched nothing we know of.
Expected<ProgramProfile> readLeftProfile(const fs::path& path, const RunOptions& options,
                                         const SubprocessEnd& end) {
  std::error_code error;
  ProgramProfile profile;
  profile.device = options.device;
  profile.reconvergence = options.reconvergence.empty() ? "volta" : options.reconvergence;
  if (fs::exists(path, error)) {
    HEDDLE_TRY(const std::string text, readFile(path));
    HEDDLE_TRY(profile, profile::readProfile(text, "the program's profile"));
  }
  if (end.signal != 0 && profile.ending == Ending::Complete) {
    profile.ending = Ending::Interrupted;
    profile.fault =
        fmt::format("the program ended with signal {} ({})", end.signal, strsignal(end.signal));
  }
  return profile;
}

/// A signal that ends us is the program's first, so that it leaves what it has.
SubprocessEnd waitPolitely(Subprocess& child, bool sharesGroup) {
  const PoliteStop stop([=, id = child.id()](const StopRequest& request) {
    if (!(sharesGroup && request.fromTerminal)) // it has it from there
      kill(sharesGroup ? id : -id, request.signal);
  });
  const pid_t group = child.id();
  const SubprocessEnd end = child.wait();
  if (stopSignal() != 0 && !sharesGroup)
    kill(-group, SIGKILL); // whom it started and left
  return end;
}

/// What the end of a program frees is no news, unless somebody asks.
ProgramProfile withoutLeaks(ProgramProfile profile) {
  std::erase_if(profile.remarks, [](const profile::Remark& each) { return each.kind == "leak"; });
  return profile;
}

std::string reportText(const ProgramProfile& profile, const RunOptions& options,
                       const Output& output) {
  report::ProfileView view{.lines = std::size_t(options.lines), .style = output.style};
  if (options.advice && stopSignal() == 0)
    view.advice = adviceFor(profile, options.files, options.flags, options.useCache);
  std::string text = report::profileText(options.strict ? profile : withoutLeaks(profile), view);
  if (std::ranges::any_of(view.advice, &advise::Candidate::applies))
    text += fmt::format("\n'heddle fix {}' tries what would help, and proves it\n",
                        fmt::join(options.files, " "));
  return text;
}

Expected<Answer> answer(const ProgramProfile& profile, const SubprocessEnd& end,
                        const RunOptions& options, const Output& output,
                        const std::string& heading) {
  if (!options.profileFile.empty())
    HEDDLE_CHECK(writeFile(options.profileFile, profile::writeProfile(profile)));
  std::string text;
  if (output.json)
    text = profile::writeProfile(profile);
  else if (!options.quiet)
    text = "\n" + heading + reportText(profile, options, output);
  const bool fault = profile.ending == Ending::Fault;
  const std::string complaint = profile.ending == Ending::Complete ? "" : profile.fault;
  const bool found = options.strict && !profile.remarks.empty() && end.exitCode == 0;
  const int status = stopSignal() != 0 ? 128 + stopSignal() : found ? foundStatus : end.exitCode;
  return Answer(std::move(text), complaint, fault ? faultStatus : status);
}

} // namespace

std::vector<std::pair<std::string, std::string>> programEnvironment(const RunOptions& options,
                                                                    const fs::path& profile) {
  return environment(options, profile);
}

Expected<Answer> runProgram(const RunOptions& options, const Output& output) {
  HEDDLE_CHECK(validate(options));
  HEDDLE_TRY(const fs::path runtime, frontend::findRuntime());
  HEDDLE_TRY(const fs::path nvcc, nvccForDeviceCode(options.deviceCode));
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  frontend::BuildOptions build{.sources = options.files,
                               .flags = options.flags,
                               .runtime = runtime,
                               .nvcc = nvcc,
                               .useCache = options.useCache,
                               .diagnostics = compilerOutput(output)};
  HEDDLE_TRY(const frontend::BuiltProgram program, frontend::buildProgram(build, folder.path()));
  HEDDLE_TRY(const machine::Device device, machine::resolveDevice(options.device));
  HEDDLE_CHECK(validateRegisters(options.registers, program.kernels, device));
  const fs::path left = folder.path() / "profile.json";
  std::vector<std::string> command = {program.path.filename().string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  const bool interactive = isTerminal(stdin);
  HEDDLE_TRY(Subprocess child,
             Subprocess::start(command, {.program = program.path.string(),
                                         .outputToError = output.json,
                                         .ownGroup = !interactive,
                                         .environment = environment(options, left)}));
  const SubprocessEnd end = waitPolitely(child, interactive);
  HEDDLE_TRY(const ProgramProfile profile, readLeftProfile(left, options, end));
  return answer(profile, end, options, output, deviceCodeLine(nvcc));
}

} // namespace heddle::driver
