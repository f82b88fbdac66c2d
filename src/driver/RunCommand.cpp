// SPDX-License-Identifier: Apache-2.0
#include "driver/RunCommand.h"

#include "advise/Prediction.h"
#include "driver/Advice.h"
#include "driver/CheckCommand.h"
#include "driver/CompilerOutput.h"
#include "driver/DeviceCode.h"
#include "driver/ExportCommand.h"
#include "driver/KernelRegisters.h"
#include "driver/ProjectProgram.h"
#include "driver/RecordedWarps.h"
#include "driver/ReportCommand.h"
#include "driver/TunedRun.h"
#include "frontend/LinkHost.h"
#include "frontend/ProgramBuilder.h"
#include "profile/ProfileJson.h"
#include "report/ProfileReport.h"
#include "report/Table.h"
#include "support/Files.h"
#include "support/StopSignals.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <unistd.h>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using profile::Ending;
using profile::ProgramProfile;
using profile::ProgramSettings;
using profile::Setting;

Expected<void> validate(const RunOptions& options) {
  for (const std::string& file : options.program.files)
    HEDDLE_CHECK(readFile(file));
  if (options.mostInstructions && *options.mostInstructions < 1)
    return fail(ErrorKind::BadInput, "--max-instructions {}: expected at least 1",
                *options.mostInstructions);
  if (options.workers && (*options.workers < 1 || *options.workers > 4096))
    return fail(ErrorKind::BadInput, "--jobs {}: expected 1 to 4096", *options.workers);
  HEDDLE_CHECK(checkRecordedWarps(options.recordedWarps));
  if (options.lines < 0)
    return fail(ErrorKind::BadInput, "--top {}: expected at least 0", options.lines);
  if (options.kernels < 1)
    return fail(ErrorKind::BadInput, "--kernels {}: expected at least 1", options.kernels);
  std::error_code error; // better now than after a long run
  for (const std::string& file : {options.profileFile, options.reportFile}) {
    const fs::path folder = fs::path(file).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error))
      return fail(ErrorKind::Io, "cannot write {}: there is no folder {}", file, folder.string());
  }
  return {};
}

/// Whether the only file is a program already, which `heddle cc` made.
bool isBuilt(const RunOptions& options) {
  if (options.program.files.size() != 1 ||
      frontend::isSource(options.program.files.front(), options.program.flags))
    return false;
  const auto text = readFile(options.program.files.front());
  return text && text->starts_with("\x7f"
                                   "ELF");
}

/// Without a place in it, the program would be looked for where the shell looks.
Expected<frontend::BuiltProgram> takeBuilt(const std::string& file) {
  frontend::BuiltProgram program;
  std::error_code error;
  program.path = fs::absolute(file, error);
  if (access(program.path.c_str(), X_OK) != 0)
    return fail(ErrorKind::BadInput, "{} is not a program: its mode lets nobody run it", file);
  return program;
}

/// Where users expect a program that stands for its sources: beside the first.
fs::path expectedPlace(const RunOptions& options) {
  if (!options.program.executable.empty())
    return options.program.executable;
  const fs::path first = options.program.files.front();
  return isBuilt(options) ? first : first.parent_path() / first.stem();
}

/// A device file by its full path: the program may change its folder.
std::string nameForProgram(const machine::ModelledDevice& device) {
  std::error_code error;
  return fs::is_regular_file(device.asked, error) ? fs::absolute(device.asked, error).string()
                                                  : device.asked;
}

/// What the program left. One that ended before it could write has launched nothing we know of.
Expected<ProgramProfile> readLeftProfile(const fs::path& path, const RunOptions& options,
                                         const SubprocessEnd& end) {
  std::error_code error;
  ProgramProfile profile;
  profile.device = options.device.gpu.name;
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

/// A signal that ends us is the program's first, so that it leaves what it has. Made before the
/// program starts: a signal that comes before we know its number is kept for it.
class ProgramStop {
public:
  explicit ProgramStop(bool sharesGroup)
      : sharesGroup_(sharesGroup), stop_([this](const StopRequest& request) { take(request); }) {}

  SubprocessEnd wait(Subprocess& program) {
    begin(program.id());
    const SubprocessEnd end = program.wait();
    stop_.reset();
    if (stopSignal() != 0 && !sharesGroup_)
      kill(-program_, SIGKILL); // whom it started and left
    return end;
  }

private:
  void begin(pid_t program) {
    const Uninterrupted goesOn;
    program_ = program;
    if (kept_)
      take(*kept_);
  }

  /// With the lock of an Uninterrupted.
  void take(const StopRequest& request) {
    kept_ = request;
    if (program_ != 0 && !(sharesGroup_ && request.fromTerminal)) // else it has it from there
      kill(sharesGroup_ ? program_ : -program_, request.signal);
  }

  bool sharesGroup_;
  pid_t program_ = 0;
  std::optional<StopRequest> kept_;
  std::optional<PoliteStop> stop_; ///< the last: it uses the others
};

/// What the end of a program frees is no news, unless somebody asks.
ProgramProfile withoutLeaks(ProgramProfile profile) {
  std::erase_if(profile.remarks, [](const profile::Remark& each) { return each.kind == "leak"; });
  return profile;
}

/// Where the rest is, and how sure the rewrites are.
std::string adviceHint(const std::vector<advise::Candidate>& advice,
                       const std::vector<std::string>& program) {
  const auto any = [&](auto is) { return std::ranges::any_of(advice, is); };
  if (any(&advise::Candidate::tried))
    return fmt::format("\n'heddle fix {}' has tried the rewrites; this is what it found\n",
                       fmt::join(program, " "));
  if (any([](const advise::Candidate& each) { return advise::judge(each) != advise::Pays::No; }))
    return fmt::format("\n'heddle fix {}' tries what would help, and proves it; ~ is a guess\n",
                       fmt::join(program, " "));
  return "";
}

/// Of a program that is built already as far as it tells how.
std::vector<advise::Candidate> adviceOf(const ProgramProfile& profile, const RunOptions& options) {
  if (!options.advice || stopSignal() != 0)
    return {};
  const auto found = withSources(options);
  return found ? adviceFor(profile, options.device.gpu, found->program, options.useCache)
               : std::vector<advise::Candidate>();
}

std::string reportText(const ProgramProfile& profile, const std::vector<advise::Candidate>& advice,
                       const RunOptions& options, const Output& output) {
  const report::ProfileView view{.lines = std::size_t(options.lines),
                                 .kernels = std::size_t(options.kernels),
                                 .style = output.style,
                                 .advice = advice};
  std::string text = report::profileText(options.strict ? profile : withoutLeaks(profile), view);
  return text + report::fitted(adviceHint(view.advice, programWords(options)));
}

/// The page of the run; says that it was written.
Expected<std::string> writeRunPage(const ProgramProfile& profile,
                                   const std::vector<advise::Candidate>& advice,
                                   const RunOptions& options) {
  page::PageRun run{.name = expectedPlace(options).filename().string(),
                    .profile = profile,
                    .sources = page::sourcesOf(profile, {}),
                    .advice = advice};
  run.command = fixCommandFor(programWords(options));
  return writePage(options.reportFile, {std::move(run)});
}

Expected<Answer> answer(const ProgramProfile& profile, const SubprocessEnd& end,
                        const RunOptions& options, const Output& output,
                        const std::string& heading) {
  if (!options.profileFile.empty())
    HEDDLE_CHECK(writeFile(options.profileFile, profile::writeProfile(profile)));
  const bool shows = !output.json && !options.quiet && options.format.empty();
  std::vector<advise::Candidate> advice;
  if (shows || !options.format.empty() || !options.reportFile.empty())
    advice = adviceOf(profile, options);
  std::string text;
  if (!options.format.empty())
    text =
        exportedProfile(options.strict ? profile : withoutLeaks(profile), options.format, advice);
  else if (output.json)
    text = profile::writeProfile(profile);
  else if (shows)
    text = "\n" + heading + reportText(profile, advice, options, output);
  if (!options.reportFile.empty()) {
    HEDDLE_TRY(const std::string wrote, writeRunPage(profile, advice, options));
    text += shows ? "\n" + wrote : "";
  }
  const bool fault = profile.ending == Ending::Fault;
  const std::string complaint = profile.ending == Ending::Complete ? "" : profile.fault;
  const bool found = options.strict && !profile.remarks.empty() && end.exitCode == 0;
  const int status = stopSignal() != 0 ? 128 + stopSignal() : found ? foundStatus : end.exitCode;
  Answer result(std::move(text), complaint, fault ? faultStatus : status);
  result.exact = !options.format.empty();
  return result;
}

} // namespace

std::vector<std::string> programWords(const RunOptions& options) {
  return options.project.empty() ? options.program.files
                                 : std::vector<std::string>{"--project", options.project, "--",
                                                            options.program.executable};
}

Expected<RunOptions> withSources(RunOptions options) {
  if (!options.program.executable.empty()) // it has them
    return options;
  if (options.program.files.empty() && options.project.empty())
    return fail(ErrorKind::BadInput, "no program: name its files, one that 'heddle cc' built, or "
                                     "with --project the folder of a build");
  if (!options.project.empty()) {
    if (!options.program.files.empty())
      return fail(ErrorKind::BadInput,
                  "--project {} knows the program's files; {} is one too many (the program "
                  "comes behind --)",
                  options.project, options.program.files.front());
    if (options.arguments.empty())
      return fail(ErrorKind::BadInput,
                  "--project {}: name the program behind --, with its arguments: -- ./app",
                  options.project);
    HEDDLE_TRY(options.program,
               programOfProject(options.project, options.arguments.front(), options.program.flags));
    options.arguments.erase(options.arguments.begin());
  } else if (isBuilt(options)) {
    const std::string file = options.program.files.front();
    HEDDLE_TRY(std::optional<frontend::ProgramSpec> found, programOfBinary(file));
    if (!found)
      return fail(
          ErrorKind::BadInput,
          "{} does not tell what it was built from: 'heddle cc' did not build it, or it was "
          "stripped; name its sources, or --project and the folder of its build",
          file);
    options.program = *std::move(found);
  }
  return options;
}

ProgramSettings programSettings(const RunOptions& options, const fs::path& profile) {
  ProgramSettings settings = {{Setting::Profile, profile.string()},
                              {Setting::Device, nameForProgram(options.device)}};
  settings.set(Setting::Cache, options.useCache);
  settings.set(Setting::Poison, options.poison);
  settings.set(Setting::KeepGoing, options.keepGoing);
  settings.set(Setting::Strays, false);
  settings.set(Setting::Progress, isTerminal(stderr));
  std::error_code error;
  if (!options.program.files.empty() && !isBuilt(options))
    settings.set(Setting::Executable, fs::absolute(expectedPlace(options), error).string());
  if (!options.reconvergence.empty())
    settings.set(Setting::Reconvergence, options.reconvergence);
  if (options.mostInstructions)
    settings.set(Setting::MaxInstructions, *options.mostInstructions);
  if (options.workers)
    settings.set(Setting::Workers, *options.workers);
  if (options.format == "trace")
    settings.set(Setting::Timeline, true);
  constexpr int ofAPage = 3; // which shows lanes over time
  if (const int warps =
          options.recordedWarps > 0 || options.reportFile.empty() ? options.recordedWarps : ofAPage;
      warps > 0)
    settings.set(Setting::RecordWarps, warps);
  if (!options.registers.empty())
    settings.set(Setting::Registers, profile::writeGivenRegisters(options.registers));
  if (!options.blocks.empty())
    settings.set(Setting::Blocks, profile::writeGivenBlocks(options.blocks));
  return settings;
}

ProgramSettings::Variables environmentOf(const ProgramSettings& settings) {
  ProgramSettings::Variables variables = settings.variables();
#ifdef __SANITIZE_ADDRESS__
  // What a program leaks, and how it ends, is its own.
  variables.emplace_back(
      "ASAN_OPTIONS",
      "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0");
#endif
  return variables;
}

namespace {

/// The options of the program as it was tuned; `tuned` says how.
Expected<RunOptions> tunedOptions(const RunOptions& options, const fs::path& folder,
                                  TunedProgram& tuned) {
  RunOptions result = options;
  if (!options.tuned)
    return result;
  if (isBuilt(options))
    return fail(ErrorKind::BadInput, "--tuned: {} is built already; give its sources",
                options.program.files.front());
  HEDDLE_TRY(const Sources sources, readSources(options.program, options.useCache));
  HEDDLE_TRY(tuned, findTuned(options, sources));
  HEDDLE_TRY(result.program, writeChanged(options.program, tuned.changed, folder));
  result.program.changeFlags([&](frontend::CompilerFlags& each) {
    each.common.insert(each.common.end(), tuned.flags.begin(), tuned.flags.end());
  });
  result.blocks = tuned.blocks;
  return result;
}

Expected<frontend::BuiltProgram> build(const RunOptions& options, const Output& output,
                                       DeviceCode& code, const fs::path& folder) {
  if (isBuilt(options))
    return takeBuilt(options.program.files.front());
  HEDDLE_TRY(const fs::path runtime, frontend::findRuntime());
  HEDDLE_TRY(code, chooseDeviceCode(options.deviceCode, options.device.gpu));
  const frontend::BuildOptions build{.program = options.program,
                                     .runtime = runtime,
                                     .useCache = options.useCache,
                                     .diagnostics = compilerOutput(output)};
  HEDDLE_TRY(frontend::BuiltProgram program, buildWith(code, build, folder));
  HEDDLE_CHECK(validateRegisters(options.registers, program.kernels, options.device.gpu));
  return program;
}

} // namespace

Expected<Answer> runProgram(const RunOptions& given, const Output& output) {
  HEDDLE_TRY(const RunOptions options,
             given.program.files.empty() ? withSources(given) : Expected<RunOptions>(given));
  HEDDLE_CHECK(validate(options));
  DeviceCode code;
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  TunedProgram tuned;
  HEDDLE_TRY(const RunOptions ready, tunedOptions(options, folder.path(), tuned));
  HEDDLE_TRY(const frontend::BuiltProgram program, build(ready, output, code, folder.path()));
  const fs::path left = folder.path() / "profile.json";
  std::vector<std::string> command = {expectedPlace(options).string()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  const bool interactive = isTerminal(stdin);
  ProgramStop stop(interactive);
  HEDDLE_TRY(
      Subprocess child,
      Subprocess::start(command, {.program = program.path.string(),
                                  .outputToError = output.json || !options.format.empty(),
                                  .ownGroup = !interactive,
                                  .environment = environmentOf(programSettings(ready, left))}));
  const SubprocessEnd end = stop.wait(child);
  HEDDLE_TRY(ProgramProfile profile, readLeftProfile(left, options, end));
  profile.lines = profile::readLineTexts(profile);
  std::string heading = deviceCodeLine(code);
  for (const std::string& each : tuned.used)
    heading += fmt::format("tuned {}\n", each);
  return answer(profile, end, options, output, heading);
}

} // namespace heddle::driver
