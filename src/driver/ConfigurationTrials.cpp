// SPDX-License-Identifier: Apache-2.0
#include "driver/ConfigurationTrials.h"

#include "driver/GpuTimes.h"
#include "driver/TuneFacts.h"
#include "driver/TunedSource.h"
#include "rewrite/code/Communication.h"

#include <algorithm>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using profile::KernelProfile;
using tune::Configuration;
using tune::Outcome;

Outcome troubled(std::string why) {
  Outcome outcome;
  outcome.trouble = std::move(why);
  return outcome;
}

Outcome outcomeOf(const KernelProfile& kernel, const machine::Device& device) {
  const double seconds = kernel.timing ? kernel.timing->seconds : 0;
  Outcome outcome{.seconds = std::max(seconds, partialStoreSeconds(kernel, device)) +
                             furtherLineSeconds(kernel, device),
                  .efficiency = kernel.efficiency(),
                  .block = kernel.block};
  if (kernel.timing) {
    outcome.low = kernel.timing->low;
    outcome.high = kernel.timing->high;
    outcome.registers = kernel.timing->registers.registers;
    outcome.spills = kernel.timing->registers.spillBytes;
    outcome.occupancy = kernel.timing->occupancy;
  }
  return outcome;
}

/// The first line alone: what a compiler says may be long.
std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// The program of a configuration's code; an error: it does not build.
const Expected<fs::path>& programOf(const TuneSubject& subject, const TunableKernel& kernel,
                                    const Configuration& wanted, BuiltConfigurations& built) {
  const profile::Extent& block = kernel.profile->block;
  const std::string code = wanted.codeKey(block);
  auto known = built.find(code);
  if (known == built.end() && code == Configuration().codeKey({}))
    known = built.emplace(code, subject.trials->program()).first;
  if (known == built.end())
    known = built
                .emplace(code, subject.trials->bench().build(changedBy(subject, kernel, wanted),
                                                             macroFlags(wanted)))
                .first;
  return known->second;
}

profile::ProgramSettings settingsFor(const TunableKernel& kernel, const Configuration& wanted) {
  profile::ProgramSettings settings;
  if (wanted.hasBlock() && kernel.asked)
    settings.set(profile::Setting::Answers,
                 fmt::format("{}={}", kernel.name, profile::writeExtent(wanted.block)));
  else if (wanted.hasBlock())
    settings.set(profile::Setting::Blocks,
                 profile::writeGivenBlocks({{kernel.profile->id, 0, wanted.block}}));
  return settings;
}

Expected<double> timeOnGpu(const TuneSubject& subject, const TunableKernel& kernel,
                           const Configuration& wanted) {
  RunOptions options = subject.options.run;
  options.program.changeFlags([&](frontend::CompilerFlags& each) {
    for (const std::string& flag : macroFlags(wanted))
      each.common.push_back(flag);
  });
  HEDDLE_TRY(const NvccBuild nvcc, NvccBuild::open(options, subject.folder));
  const fs::path folder =
      subject.folder / "gpu" / fmt::format("{}", std::hash<std::string>()(wanted.key()));
  return timeOnce(nvcc, *subject.gpu, options, changedBy(subject, kernel, wanted),
                  settingsFor(kernel, wanted), folder);
}

/// The kernel in a run of a configuration, or why it does not count.
tl::expected<const KernelProfile*, std::string>
kernelIn(const Trial& trial, const TuneSubject& subject, const KernelProfile& own) {
  if (trial.profile.ending != profile::Ending::Complete)
    return tl::unexpected("it stops: " + trial.profile.fault);
  const auto found = std::ranges::find(trial.profile.kernels, own.id, &KernelProfile::id);
  if (found == trial.profile.kernels.end() || found->launches < own.launches)
    return tl::unexpected(
        std::string("the kernel is not launched: it asks for more than a block may have"));
  const int status = subject.trials->original().status;
  if (trial.status != status)
    return tl::unexpected(fmt::format("its status was {} and is {}", status, trial.status));
  return &*found;
}

} // namespace

ChangedFiles changedBy(const TuneSubject& subject, const TunableKernel& kernel,
                       const Configuration& wanted) {
  if (wanted.values.empty() && wanted.bounds == 0)
    return {};
  return {{kernel.file, tunedText(*subject.sources.at(kernel.file), kernel.tunables, wanted,
                                  kernel.profile->block)}};
}

Expected<Outcome> measure(const TuneSubject& subject, const TunableKernel& kernel,
                          const Configuration& wanted, BuiltConfigurations& built) {
  const Expected<fs::path>& program = programOf(subject, kernel, wanted, built);
  if (!program)
    return troubled("it does not build: " + firstLine(program.error().message));
  HEDDLE_TRY(const Trial trial,
             subject.trials->bench().runBuilt(*program, subject.options.run.arguments,
                                              settingsFor(kernel, wanted), Recording::Off));
  const auto found = kernelIn(trial, subject, *kernel.profile);
  if (!found)
    return troubled(found.error());
  Outcome outcome = outcomeOf(**found, subject.device());
  if (!subject.gpu)
    return outcome;
  const auto seconds = timeOnGpu(subject, kernel, wanted);
  if (!seconds)
    return troubled(firstLine(seconds.error().message));
  outcome.seconds = outcome.low = outcome.high = *seconds;
  return outcome;
}

Expected<ConfigurationProof> prove(const TuneSubject& subject, const TunableKernel& kernel,
                                   const Configuration& wanted, BuiltConfigurations& built) {
  HEDDLE_TRY(const fs::path program, programOf(subject, kernel, wanted, built));
  HEDDLE_TRY(const Trial trial,
             subject.trials->bench().runBuilt(program, subject.options.run.arguments,
                                              settingsFor(kernel, wanted)));
  const bool sums =
      rewrite::sumsFloatsAtomically(*subject.sources.at(kernel.file), *kernel.function->getBody());
  HEDDLE_TRY(const TrialComparison compared,
             subject.trials->compare(0, trial, toleranceOf(sums, subject.options.tolerance)));
  removeKept(trial);
  return ConfigurationProof{compared.difference ? "results differ: " + compared.difference->text
                                                : std::string(),
                            compared.bytes};
}

} // namespace heddle::driver
