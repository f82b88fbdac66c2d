// SPDX-License-Identifier: Apache-2.0
#include "driver/ProfileCommand.h"

#include "driver/CompilerOutput.h"
#include "driver/DeviceCode.h"
#include "driver/ExportCommand.h"
#include "driver/KernelRegisters.h"
#include "driver/RecordedWarps.h"
#include "frontend/DeviceCompiler.h"
#include "launch/LaunchService.h"
#include "profile/ProfileJson.h"
#include "report/ProfileReport.h"
#include "support/Files.h"
#include "support/StopSignals.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> stopRequested = false;

bool isSource(const ProfileOptions& options) {
  return options.file.ends_with(".cu") || options.flags.language == "cu";
}

Expected<frontend::DeviceModule> loadModule(const ProfileOptions& options, DeviceCode& code,
                                            const Output& output) {
  if (!isSource(options)) {
    HEDDLE_TRY(const std::string text, readFile(options.file));
    return frontend::parseDeviceModule(text, options.file);
  }
  return compileWith(code, options.file,
                     {.flags = options.flags,
                      .useCache = options.useCache,
                      .diagnostics = compilerOutput(output)});
}

/// Puts the arguments where the kernel expects them: buffers as pointers to their content.
Expected<std::vector<std::byte>> packArguments(const engine::CompiledKernel& kernel,
                                               const std::vector<KernelArgument>& arguments) {
  const std::vector<unsigned>& sizes = kernel.argumentSizes();
  if (arguments.size() != sizes.size())
    return fail(ErrorKind::BadInput,
                "{} arguments for kernel '{}', which takes {}; give each with --arg",
                arguments.size(), kernel.name(), sizes.size());
  std::vector<std::byte> packed(kernel.argumentSize());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::byte* address = arguments[i].bytes.data();
    const void* value = arguments[i].isBuffer ? static_cast<const void*>(&address) : address;
    const std::size_t size = arguments[i].isBuffer ? sizeof address : arguments[i].bytes.size();
    if (size != sizes[i])
      return fail(ErrorKind::BadInput, "argument {} ('{}') has {} bytes, kernel '{}' expects {}", i,
                  arguments[i].text, size, kernel.name(), sizes[i]);
    std::memcpy(packed.data() + kernel.argumentOffsets()[i], value, size);
  }
  return packed;
}

Expected<void> validate(const ProfileOptions& options) {
  for (const auto& [number, file] : options.dumps)
    if (number < 0 || number >= int(options.arguments.size()) ||
        !options.arguments[std::size_t(number)].isBuffer)
      return fail(ErrorKind::BadInput, "--dump {}={}: argument {} is no buffer", number, file,
                  number);
  if (options.dynamicShared < 0 || options.dynamicShared > 227 * 1024)
    return fail(ErrorKind::BadInput, "{} bytes of dynamic shared memory: expected 0 to {}",
                options.dynamicShared, 227 * 1024);
  if (options.mostInstructions && *options.mostInstructions < 1)
    return fail(ErrorKind::BadInput, "--max-instructions {}: expected at least 1",
                *options.mostInstructions);
  HEDDLE_CHECK(checkRecordedWarps(options.recordedWarps));
  if (options.lines < 0)
    return fail(ErrorKind::BadInput, "--top {}: expected at least 0", options.lines);
  return {};
}

/// A block that does not fit with the registers given is refused.
Expected<void> checkResidency(const machine::Residency& residency,
                              const launch::KernelLimits& limits,
                              const engine::CompiledKernel& kernel, const machine::Device& device) {
  if (residency.blocks == 0 && limits.registers.isGiven())
    return fail(ErrorKind::BadInput,
                "--registers {}={}: a block of {} threads with so many does not fit on {}",
                kernel.name(), limits.registers.registers, residency.kernel.threads, device.name);
  return {};
}

engine::LaunchSettings launchSettings(const ProfileOptions& options, const machine::Device& device,
                                      const Output& output) {
  engine::LaunchSettings settings;
  settings.reconvergence = launch::usualReconvergence(device);
  if (!options.reconvergence.empty())
    settings.reconvergence = options.reconvergence == "volta" ? engine::Reconvergence::Volta
                                                              : engine::Reconvergence::Stack;
  if (options.mostInstructions)
    settings.mostInstructions = std::uint64_t(*options.mostInstructions);
  settings.workers = options.workers.value_or(0);
  settings.stop = &stopRequested;
  std::FILE* printed = output.json || !options.format.empty() ? stderr : stdout; // only the result
  settings.print = [printed](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), printed);
  };
  return settings;
}

engine::DeviceMemory memoryOf(const engine::DeviceProgram& program,
                              const std::vector<KernelArgument>& arguments) {
  engine::DeviceMemory memory;
  for (const engine::DeviceVariable& variable : program.variables())
    memory.add(variable.address, variable.size, fmt::format("variable '{}'", variable.name));
  for (const KernelArgument& argument : arguments)
    if (argument.isBuffer)
      memory.add(argument.bytes.data(), argument.bytes.size(),
                 fmt::format("buffer '{}'", argument.text));
  return memory;
}

/// Those of the kernel's __cluster_dims__.
Expected<void> askForClusters(const launch::KernelLimits& limits, const machine::Device& device,
                              engine::LaunchRequest& request) {
  constexpr machine::ComputeCapability first = {9, 0};
  constexpr int most = 16;
  if (limits.cluster[0] == 0)
    return {};
  request.cluster = limits.cluster;
  request.asksForClusters = true;
  const bool isWide =
      std::ranges::any_of(limits.cluster, [](int width) { return width < 1 || width > most; });
  if (isWide || request.clusterBlocks() > most)
    return fail(ErrorKind::BadInput, "clusters of {} blocks: expected 1 to {} blocks",
                fmt::join(limits.cluster, "x"), most);
  if (request.clusterBlocks() > 1 && device.limits.computeCapability < first)
    return fail(ErrorKind::Unsupported,
                "clusters of {} blocks need compute capability 9.0; {} has {}.{}",
                fmt::join(limits.cluster, "x"), device.name, device.limits.computeCapability.major,
                device.limits.computeCapability.minor);
  return {};
}

/// Registers, residency, run and time; Ctrl-C ends the run, not Heddle.
Expected<launch::LaunchOutcome>
runLaunch(const machine::Device& device, engine::DeviceProgram& program,
          const std::vector<KernelArgument>& arguments, engine::LaunchSettings settings,
          const ProfileOptions& options, std::optional<profile::Timeline>& timeline) {
  HEDDLE_TRY(const engine::CompiledKernel* kernel, program.kernel(options.kernel));
  engine::LaunchRequest request{
      options.grid, options.block, std::size_t(options.dynamicShared), {}};
  HEDDLE_TRY(request.arguments, packArguments(*kernel, arguments));
  launch::LaunchService service(
      device,
      {.given = options.registers, .askPtxas = mayAskPtxas(), .useCache = options.useCache});
  HEDDLE_TRY(const launch::KernelLimits limits, service.limitsOf(program, options.kernel));
  HEDDLE_CHECK(askForClusters(limits, device, request));
  const std::int64_t threads = std::int64_t{options.block[0]} * options.block[1] * options.block[2];
  machine::Residency residency; // none for a block that the launch refuses
  if (threads >= 1 && threads <= device.limits.threadsPerBlock) {
    residency = service.residencyOf(*kernel, limits, int(threads), request.dynamicShared);
    HEDDLE_CHECK(checkResidency(residency, limits, *kernel, device));
  }
  std::optional<engine::WarpRecorder> recorder;
  if (options.recordedWarps > 0 || options.format == "trace")
    service.timer().keepTimelines();
  if (options.recordedWarps > 0)
    settings.recorder = &recorder.emplace(*kernel, options.recordedWarps);
  std::optional<PoliteStop> stop([](const StopRequest&) { stopRequested = true; });
  HEDDLE_TRY(
      launch::LaunchOutcome outcome,
      service.run(program, *kernel, request, memoryOf(program, arguments), residency, settings));
  stop.reset();
  if (!outcome.children.empty())
    return fail(
        ErrorKind::Unsupported,
        "kernel '{}' launches '{}': heddle profile runs one kernel, heddle run a program with "
        "all that its kernels launch",
        kernel->name(), frontend::plainKernelName(outcome.children.front().kernel));
  if (!outcome.fault) {
    service.time(limits, residency, outcome);
    timeline = service.timer().takeTimeline();
  }
  if (recorder)
    outcome.profile.recorded = recorder->records(std::chrono::milliseconds::zero());
  return outcome;
}

profile::ProgramProfile asProgram(const engine::LaunchOutcome& outcome, std::string device,
                                  engine::Reconvergence reconvergence) {
  profile::ProgramProfile program;
  program.device = std::move(device);
  program.reconvergence = launch::reconvergenceName(reconvergence);
  if (outcome.fault) {
    program.ending = outcome.fault->kind == engine::FaultKind::Interrupted
                         ? profile::Ending::Interrupted
                         : profile::Ending::Fault;
    program.fault = outcome.fault->message;
  }
  program.add(0, outcome.profile);
  return program;
}

Expected<void> writeDumps(const ProfileOptions& options,
                          const std::vector<KernelArgument>& arguments) {
  for (const auto& [number, file] : options.dumps) {
    const std::vector<std::byte>& bytes = arguments[std::size_t(number)].bytes;
    HEDDLE_CHECK(writeFile(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }
  return {};
}

} // namespace

Expected<Answer> runProfile(const ProfileOptions& options, const Output& output) {
  HEDDLE_CHECK(validate(options));
  const machine::Device& device = options.device.gpu;
  DeviceCode code;
  if (isSource(options)) {
    HEDDLE_TRY(code, chooseDeviceCode(options.deviceCode, device));
  }
  HEDDLE_TRY(frontend::DeviceModule module, loadModule(options, code, output));
  HEDDLE_CHECK(validateRegisters(options.registers, frontend::kernelNames(*module.module), device));
  if (mayAskPtxas())
    frontend::countMachineInstructions(module, device.limits.computeCapability.number(),
                                       options.useCache);
  HEDDLE_TRY(const auto program, engine::DeviceProgram::load(std::move(module)));
  const std::vector<KernelArgument> arguments = options.arguments;
  const engine::LaunchSettings settings = launchSettings(options, device, output);
  std::optional<profile::Timeline> timeline;
  HEDDLE_TRY(const engine::LaunchOutcome outcome,
             runLaunch(device, *program, arguments, settings, options, timeline));
  if (stopSignal() == 0)
    HEDDLE_CHECK(writeDumps(options, arguments));
  profile::ProgramProfile profile = asProgram(outcome, device.name, settings.reconvergence);
  profile.lines = profile::readLineTexts(profile);
  if (timeline)
    profile.keepTimeline({{*std::move(timeline)}, 0, outcome.profile.timing->seconds});
  std::string text;
  if (!options.format.empty())
    text = exportedProfile(profile, options.format, {});
  else if (output.json)
    text = profile::writeProfile(profile);
  else
    text = deviceCodeLine(code) + report::profileText(profile, {.lines = std::size_t(options.lines),
                                                                .style = output.style});
  const int status = stopSignal() != 0 ? 128 + stopSignal() : faultStatus;
  Answer answer(std::move(text), profile.fault, outcome.fault ? status : 0);
  answer.exact = !options.format.empty();
  return answer;
}

} // namespace heddle::driver
