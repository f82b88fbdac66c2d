// SPDX-License-Identifier: Apache-2.0
#include "driver/StudyRunner.h"

#include "driver/RunCommand.h"
#include "frontend/LinkHost.h"
#include "frontend/ProgramBuilder.h"
#include "gpu/Nvcc.h"
#include "machine/DeviceCatalog.h"
#include "profile/ProfileJson.h"
#include "support/Files.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using study::Row;
using study::Study;
using Rows = std::vector<Row>;

/// What a child printed: its result, and what it had to say.
struct Printed {
  std::string output;
  SubprocessEnd end;
};

void printError(std::string_view text, StatusLine& status) {
  status.wipe();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Runs a child to its end. Its messages go to our standard error when it is over, so that they and
/// the status line do not mix.
Expected<Printed> capture(const std::vector<std::string>& command, SubprocessOptions options,
                          const fs::path& folder, StatusLine& status) {
  options.outputFile = (folder / "output").string();
  options.errorFile = (folder / "messages").string();
  HEDDLE_TRY(Subprocess child, Subprocess::start(command, options));
  Printed printed;
  printed.end = child.wait();
  HEDDLE_TRY(printed.output, readFile(options.outputFile));
  HEDDLE_TRY(const std::string messages, readFile(options.errorFile));
  if (!messages.empty())
    printError(messages, status);
  return printed;
}

/// The words of a run, as the user would type them.
std::string typed(std::string_view program, const std::vector<std::string>& words) {
  return fmt::format("{}{}{}", program, words.empty() ? "" : " ", fmt::join(words, " "));
}

/// The fault that ended a program, from the profile it left; empty where there is none.
std::string faultOf(const fs::path& profile) {
  std::error_code error;
  if (!fs::exists(profile, error))
    return "";
  const auto text = readFile(profile);
  const auto left = text ? profile::readProfile(*text, "profile") : profile::ProgramProfile();
  return left ? left->fault : "";
}

/// The GPU's name in our catalogue, where it is there: "NVIDIA H200" is h200.
std::string catalogueName(const std::string& name) {
  const auto device = machine::findDevice(name);
  return device ? device->name : name;
}

/// Whether a device that a declaration names is the one at hand.
bool isCalled(const std::string& device, const std::string& name) {
  const auto found = machine::resolveDevice(device);
  return found && found->name == name;
}

const std::vector<std::string>& wordsOf(const study::Run& run, const StudyOptions& options) {
  if (options.quick && run.hasQuick)
    return run.quick;
  if (!run.heddle.empty())
    return run.heddle;
  return options.onGpu && run.hasGpu ? run.gpu : run.arguments;
}

Expected<Rows> readRows(const fs::path& file) {
  HEDDLE_TRY(const std::string text, readFile(file));
  return study::parseRows(text, file.string());
}

/// "kernel=6,other=13" for HEDDLE_REGISTERS.
std::string registersText(const Study& study, const std::string& name) {
  std::string text;
  for (const auto& [device, kernels] : study.registers)
    if (isCalled(device, name))
      for (const auto& [kernel, number] : kernels)
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", kernel, number);
  return text;
}

} // namespace

Expected<StudyRunner> StudyRunner::make(const StudyOptions& options, const Output& output) {
  StudyRunner runner(options, output);
  if (options.onGpu) {
    HEDDLE_TRY(runner.nvcc_, gpu::findNvcc());
    HEDDLE_TRY(runner.gpu_, gpu::findGpu());
  }
  return runner;
}

Expected<std::vector<StudyRunner::Place>> StudyRunner::places(const Study& study) const {
  if (gpu_)
    return std::vector<Place>{{gpu_->name, catalogueName(gpu_->name)}};
  std::vector<std::string> devices = study.devices;
  if (!options_.device.empty())
    devices = {options_.device};
  else if (options_.quick)
    devices.resize(1);
  std::vector<Place> result;
  for (const std::string& device : devices) {
    HEDDLE_TRY(machine::ModelledDevice found, machine::modelledDevice(device));
    result.push_back({device, found.gpu.name, found});
  }
  return result;
}

Expected<StudyRunner::Built> StudyRunner::build(const Study& study, const fs::path& folder,
                                                StatusLine& status) const {
  if (!study.hasProgramRun())
    return Built{"", folder};
  const auto print = [&status](std::string_view text) { printError(text, status); };
  if (gpu_) {
    HEDDLE_TRY(fs::path program, gpu::compileForGpu(nvcc_, study.program(), *gpu_, folder, print));
    return Built{std::move(program), folder};
  }
  HEDDLE_TRY(const fs::path runtime, frontend::findRuntime());
  frontend::BuildOptions options{.program = {.files = {study.program().string()}},
                                 .runtime = runtime,
                                 .useCache = true,
                                 .diagnostics = {.print = print, .colored = output_.colorErrors}};
  HEDDLE_TRY(frontend::BuiltProgram program, frontend::buildProgram(options, folder));
  return Built{std::move(program.path), folder};
}

std::vector<std::pair<std::string, std::string>>
StudyRunner::environment(const Study& study, const Place& place, const fs::path& profile) const {
  if (gpu_)
    return gpu_->environment();
  RunOptions options;
  options.device = place.modelled.value();
  options.workers = options_.workers;
  profile::ProgramSettings settings = programSettings(options, profile);
  settings.set(profile::Setting::Progress, false); // we have a line of our own
  settings.set(profile::Setting::Registers, registersText(study, place.name));
  return environmentOf(settings);
}

Expected<Rows> StudyRunner::runProgram(const Study& study, const study::Run& run,
                                       const Built& built, const Place& place,
                                       StatusLine& status) const {
  const std::vector<std::string>& words = wordsOf(run, options_);
  const std::string title = typed(study.program().string(), words);
  const fs::path profile = built.folder / "profile.json";
  std::error_code ignored;
  fs::remove(profile, ignored);
  std::vector<std::string> command = {study.name};
  command.insert(command.end(), words.begin(), words.end());
  HEDDLE_TRY(const Printed printed, capture(command,
                                            {.program = built.program.string(),
                                             .environment = environment(study, place, profile)},
                                            built.folder, status));
  if (const std::string fault = gpu_ ? "" : faultOf(profile); !fault.empty())
    return fail(ErrorKind::BadInput, "{}", fault);
  if (printed.end.exitCode != 0)
    return fail(ErrorKind::BadInput, "{}: it ended with status {}, expected 0", title,
                printed.end.exitCode);
  return study::parseRows(printed.output, title);
}

Expected<Rows> StudyRunner::runModel(const study::Run& run, const Built& built,
                                     StatusLine& status) const {
  const std::vector<std::string>& words = wordsOf(run, options_);
  const std::string title = typed("heddle", words);
  std::vector<std::string> command = {"heddle"};
  command.insert(command.end(), words.begin(), words.end());
  HEDDLE_TRY(const Printed printed,
             capture(command, {.program = "/proc/self/exe"}, built.folder, status));
  if (printed.end.exitCode != 0)
    return fail(ErrorKind::BadInput, "{}: it ended with status {}, expected 0", title,
                printed.end.exitCode);
  return study::rowsOfDocument(printed.output, run.rows, title);
}

Expected<Rows> StudyRunner::runOnce(const Study& study, const study::Run& run, const Built& built,
                                    const Place& place, StatusLine& status) const {
  HEDDLE_TRY(Rows rows, run.isProgram()    ? runProgram(study, run, built, place, status)
                        : run.file.empty() ? runModel(run, built, status)
                                           : readRows(study.folder / run.file));
  for (Row& row : rows)
    row.update(run.with);
  return rows;
}

report::StudyCheck StudyRunner::ask(const study::Check& check, const Place& place,
                                    const Rows& rows) const {
  const std::string here = options_.onGpu ? "gpu" : "engine";
  if (!check.on.empty() && check.on != here)
    return {check, std::nullopt, fmt::format("only on the {}", check.on)};
  const bool meant = std::ranges::any_of(
      check.devices, [&](const std::string& device) { return isCalled(device, place.name); });
  if (!check.devices.empty() && !meant)
    return {check, std::nullopt, fmt::format("only for {}", fmt::join(check.devices, ", "))};
  return {check, study::evaluate(check, rows)};
}

Expected<report::StudyOnDevice> StudyRunner::runOn(const Place& place, const Study& study,
                                                   const Built& built, ModelRows& modelRows,
                                                   const std::string& head,
                                                   StatusLine& status) const {
  report::StudyOnDevice on{.device = place.device, .name = place.name, .rows = {}};
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t index = 0; index < study.runs.size(); ++index) {
    const study::Run& run = study.runs[index];
    status.show(
        fmt::format("{}: run {} of {} on {}", head, index + 1, study.runs.size(), place.name));
    if (!modelRows.contains(&run)) {
      HEDDLE_TRY(const Rows rows, runOnce(study, run, built, place, status));
      on.rows.insert(on.rows.end(), rows.begin(), rows.end());
      if (!run.heddle.empty())
        modelRows[&run] = rows;
    } else
      on.rows.insert(on.rows.end(), modelRows[&run].begin(), modelRows[&run].end());
  }
  on.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const study::Check& check : study.checks)
    on.checks.push_back(ask(check, place, on.rows));
  return on;
}

Expected<report::StudyFindings> StudyRunner::run(const Study& study, const std::string& place,
                                                 StatusLine& status) const {
  report::StudyFindings findings{.study = study, .devices = {}};
  HEDDLE_TRY(const std::vector<Place> devices, places(study));
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::string head = fmt::format("study {} ({})", study.name, place);
  status.show(head + ": compiling");
  HEDDLE_TRY(const Built built, build(study, folder.path(), status));
  ModelRows modelRows;
  for (const Place& device : devices) {
    HEDDLE_TRY(report::StudyOnDevice on, runOn(device, study, built, modelRows, head, status));
    findings.devices.push_back(std::move(on));
  }
  status.wipe();
  return findings;
}

} // namespace heddle::driver
