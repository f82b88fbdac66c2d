// SPDX-License-Identifier: Apache-2.0
#include "driver/TuneSearch.h"

#include "driver/GpuTimes.h"
#include "driver/SourceTexts.h"
#include "driver/TuneFacts.h"
#include "frontend/DeviceModule.h"
#include "frontend/Preprocess.h"
#include "machine/DeviceCatalog.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/UnifiedDiff.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/SortStably.h"
#include "support/Terminal.h"
#include "tune/TuneInterval.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using profile::KernelProfile;
using tune::Configuration;
using tune::Outcome;

constexpr double leastShare = 0.1; ///< of the time, below which a kernel is left alone

double secondsOf(const KernelProfile& kernel) {
  return kernel.timing ? kernel.timing->seconds : 0;
}

Outcome troubled(std::string why) {
  Outcome outcome;
  outcome.trouble = std::move(why);
  return outcome;
}

Outcome outcomeOf(const KernelProfile& kernel, const machine::Device& device) {
  Outcome outcome{.seconds = std::max(secondsOf(kernel), partialStoreSeconds(kernel, device)) +
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

} // namespace

std::string tunedText(const rewrite::Source& source, const rewrite::tuning::KernelTunables& kernel,
                      const Configuration& configuration, const profile::Extent& block) {
  const rewrite::Edits edits =
      rewrite::tuning::tunedEdits(kernel, configuration.values, configuration.boundsText(block));
  return withLineEndsOf(source.text(), edits.apply(source.text()));
}

std::vector<std::string> macroFlags(const Configuration& configuration) {
  std::vector<std::string> flags;
  for (const auto& [name, value] : configuration.macros)
    flags.push_back(fmt::format("-D{}={}", name, value));
  return flags;
}

/// Step 1.
Expected<void> TuneSearch::runOriginal() {
  const fs::path asked = folder_ / "asked";
  HEDDLE_CHECK(trials_.runOriginal({options_.run.arguments}, report_,
                                   {{profile::Setting::Asked, asked.string()}}));
  programs_.emplace(Configuration().codeKey({}), trials_.program());
  return readAsked(asked);
}

Expected<void> TuneSearch::readAsked(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error))
    return {};
  HEDDLE_TRY(const std::string text, readFile(file));
  for (const std::string_view line : splitText(text, '\n'))
    if (const std::size_t space = line.find(' '); space != std::string_view::npos) {
      HEDDLE_TRY(const std::int64_t elements, parseInteger(line.substr(space + 1)));
      std::uint64_t& most = asked_[std::string(line.substr(0, space))];
      most = std::max(most, std::uint64_t(elements));
    }
  return {};
}

/// A macro whose values all make the same code would be searched in vain.
Expected<void> TuneSearch::checkMacros() {
  for (const MacroChoice& macro : options_.macros) {
    std::vector<std::string> texts;
    for (const std::string& value : {macro.values.front(), macro.values.back()}) {
      std::string all;
      for (const std::string& file : options_.run.program.files) {
        frontend::PreprocessOptions options{.flags = options_.run.program.flagsOf(file)};
        options.flags.common.push_back(fmt::format("-D{}={}", macro.name, value));
        HEDDLE_TRY(const frontend::PreprocessedSource source, frontend::preprocess(file, options));
        all += source.text;
      }
      texts.push_back(std::move(all));
    }
    if (macro.values.size() > 1 && texts.front() == texts.back())
      return fail(ErrorKind::BadInput,
                  "--set {0}: {0} changes nothing: the source with {1} is the same as with {2}; it "
                  "must not define the macro itself, unless inside #ifndef {0}",
                  macro.name, macro.values.front(), macro.values.back());
  }
  return {};
}

Expected<void> TuneSearch::openGpu() {
  if (!options_.onGpu)
    return {};
  auto gpu = gpu::findGpu();
  if (!gpu)
    return tl::unexpected(within("--on gpu", std::move(gpu).error()));
  gpu_ = *std::move(gpu);
  return {};
}

std::optional<TuneSearch::Subject> TuneSearch::subjectOf(const KernelProfile& kernel) const {
  for (const auto& [file, source] : sources_)
    if (const clang::FunctionDecl* found = rewrite::findKernel(*source, kernel.symbol());
        found != nullptr && found->hasBody(found)) {
      Subject subject{&kernel, file, found, rewrite::tuning::findTunables(*source, *found),
                      frontend::plainKernelName(kernel.symbol())};
      if (const auto asked = asked_.find(subject.name); asked != asked_.end())
        subject.asked = asked->second;
      return subject;
    }
  return std::nullopt;
}

/// Step 2.
Expected<std::vector<TuneSearch::Subject>> TuneSearch::chooseKernels(tune::Tuning& tuning) {
  double total = 0;
  std::vector<std::string> names;
  std::vector<const KernelProfile*> kernels;
  for (const KernelProfile& kernel : trials_.original().profile.kernels) {
    total += secondsOf(kernel);
    kernels.push_back(&kernel);
    names.push_back(frontend::plainKernelName(kernel.symbol()));
  }
  sortStably(kernels, [](const auto* each) { return -secondsOf(*each); });
  if (!options_.kernel.empty() && std::ranges::find(names, options_.kernel) == names.end())
    return fail(ErrorKind::NotFound,
                "--kernel {}: the program launches no such kernel; it launches: {}",
                options_.kernel, fmt::join(names, ", "));
  std::vector<Subject> subjects;
  for (const KernelProfile* kernel : kernels) {
    const std::string name = frontend::plainKernelName(kernel->symbol());
    if (!options_.kernel.empty() && name != options_.kernel)
      continue;
    const double share = total > 0 ? secondsOf(*kernel) / total : 0;
    auto subject = subjectOf(*kernel);
    if (!subject)
      tuning.left.push_back(fmt::format("{}: its source is in none of the .cu files given", name));
    else if (options_.kernel.empty() && share < leastShare)
      tuning.left.push_back(fmt::format("{}: {:.1f} % of the time", name, 100 * share));
    else
      subjects.push_back(*std::move(subject));
  }
  return subjects;
}

ChangedFiles TuneSearch::changedBy(const Subject& subject, const Configuration& wanted) const {
  if (wanted.values.empty() && wanted.bounds == 0)
    return {};
  return {{subject.file, tunedText(*sources_.at(subject.file), subject.tunables, wanted,
                                   subject.profile->block)}};
}

Expected<fs::path> TuneSearch::programOf(const Subject& subject, const Configuration& wanted) {
  const std::string key = wanted.codeKey(subject.profile->block) == Configuration().codeKey({})
                              ? Configuration().codeKey({})
                              : subject.profile->id + wanted.codeKey(subject.profile->block);
  auto known = programs_.find(key);
  if (known == programs_.end())
    known = programs_
                .emplace(key, trials_.bench().build(changedBy(subject, wanted), macroFlags(wanted)))
                .first;
  return known->second;
}

profile::ProgramSettings TuneSearch::settingsFor(const Subject& subject,
                                                 const Configuration& wanted) const {
  profile::ProgramSettings settings;
  if (wanted.hasBlock() && subject.asked)
    settings.set(profile::Setting::Answers,
                 fmt::format("{}={}", subject.name, profile::writeExtent(wanted.block)));
  else if (wanted.hasBlock())
    settings.set(profile::Setting::Blocks,
                 profile::writeGivenBlocks({{subject.profile->id, 0, wanted.block}}));
  return settings;
}

profile::Tolerance TuneSearch::toleranceOf(const Subject& subject) const {
  const rewrite::Source& source = *sources_.at(subject.file);
  const bool sums = rewrite::sumsFloatsAtomically(source, *subject.function->getBody());
  return driver::toleranceOf(sums, options_.tolerance);
}

Expected<Outcome> TuneSearch::measure(const Subject& subject, const Configuration& wanted) {
  const std::string key = wanted.key();
  report_(key.empty() ? "the kernel as it is" : key);
  const auto program = programOf(subject, wanted);
  if (!program)
    return troubled("it does not build: " + firstLine(program.error().message));
  HEDDLE_TRY(const Trial trial,
             trials_.bench().runBuilt(*program, options_.run.arguments,
                                      settingsFor(subject, wanted), Recording::Off));
  if (trial.profile.ending != profile::Ending::Complete)
    return troubled("it stops: " + trial.profile.fault);
  const auto found =
      std::ranges::find(trial.profile.kernels, subject.profile->id, &KernelProfile::id);
  if (found == trial.profile.kernels.end() || found->launches < subject.profile->launches)
    return troubled("the kernel is not launched: it asks for more than a block may have");
  if (trial.status != trials_.original().status)
    return troubled(
        fmt::format("its status was {} and is {}", trials_.original().status, trial.status));
  Outcome outcome = outcomeOf(*found, *device_);
  if (gpu_) {
    const auto seconds = timeOnGpu(subject, wanted);
    if (!seconds)
      return troubled(firstLine(seconds.error().message));
    outcome.seconds = outcome.low = outcome.high = *seconds;
  }
  return outcome;
}

Expected<double> TuneSearch::timeOnGpu(const Subject& subject, const Configuration& wanted) {
  RunOptions options = options_.run;
  options.program.changeFlags([&](frontend::CompilerFlags& each) {
    for (const std::string& flag : macroFlags(wanted))
      each.common.push_back(flag);
  });
  HEDDLE_TRY(const NvccBuild nvcc, NvccBuild::open(options, folder_));
  const fs::path folder =
      folder_ / "gpu" / fmt::format("{}", std::hash<std::string>()(wanted.key()));
  return timeOnce(nvcc, *gpu_, options, changedBy(subject, wanted), settingsFor(subject, wanted),
                  folder);
}

Expected<std::string> TuneSearch::prove(const Subject& subject, const Configuration& wanted,
                                        std::uint64_t& bytes) {
  report_("whether results are equal with " + wanted.key());
  HEDDLE_TRY(const fs::path program, programOf(subject, wanted));
  HEDDLE_TRY(const Trial trial, trials_.bench().runBuilt(program, options_.run.arguments,
                                                         settingsFor(subject, wanted)));
  HEDDLE_TRY(const TrialComparison compared, trials_.compare(0, trial, toleranceOf(subject)));
  removeKept(trial);
  bytes = compared.bytes;
  return compared.difference ? "results differ: " + compared.difference->text : std::string();
}

/// Step 3.
Expected<tune::KernelTuning> TuneSearch::tuneKernel(const Subject& subject) {
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = [began] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const rewrite::Source& source = *sources_.at(subject.file);
  tune::KernelTuning tuning{.kernel = subject.name,
                            .id = subject.profile->id,
                            .file = subject.file,
                            .line = source.lineOf(subject.function->getLocation())};
  if (subject.profile->timing)
    tuning.bound = profile::boundNames[std::size_t(subject.profile->timing->bound())];
  const LargestLaunch largest = largestLaunch(trials_.original().profile, *subject.profile);
  tuning.grid = largest.grid;
  tuning.block = largest.block;
  tuning.size =
      options_.size ? std::uint64_t(*options_.size) : subject.asked.value_or(largest.threads);
  tuning.byProgram = subject.asked.has_value();
  const tune::Space space =
      tuneSpace({trials_.original().profile, *subject.profile, subject.tunables, device_->limits,
                 options_.macros, subject.asked.has_value()},
                tuning.fixed);
  tuning.parameters = space.parameters;
  const tune::KernelFacts facts = factsOf(*subject.profile, *device_, largest.threads);
  tune::PayoffPruning payoff(loopFacts(*subject.profile, subject.tunables));
  std::uint64_t bytes = 0;
  const tune::SearchHooks hooks{
      .measure = [&](const Configuration& wanted) { return measure(subject, wanted); },
      .prove = [&](const Configuration& wanted) { return prove(subject, wanted, bytes); },
      .prune = [&](const tune::Space& all, const tune::Point& point,
                   const tune::Attempt& best) -> std::optional<tune::Ruling> {
        if (auto ruling = tune::pruneByOccupancy(facts, all, point, best))
          return ruling;
        return payoff(all, point);
      },
      .isOver = [&] { return options_.seconds && seconds() > double(*options_.seconds); }};
  HEDDLE_TRY(tuning.search, tune::search(space, hooks, options_.exhaustive));
  const bool isBusy = facts.bound == profile::Bound::Issue;
  const tune::TuneInterval interval = tune::tuneInterval(isBusy);
  tuning.low = gpu_ ? tuning.search.gain() : tuning.search.gain() * interval.low;
  tuning.high = gpu_ ? tuning.search.gain() : tuning.search.gain() * interval.high;
  tuning.comparedBytes = bytes;
  for (const auto& [file, text] : changedBy(subject, tuning.search.winner().configuration))
    tuning.diff = rewrite::unifiedDiff(diffName(file), source.text(), text);
  tuning.seconds = seconds();
  return tuning;
}

Expected<tune::Tuning> TuneSearch::search() {
  HEDDLE_TRY(device_, machine::resolveDevice(options_.run.device));
  HEDDLE_CHECK(openGpu());
  HEDDLE_CHECK(checkMacros());
  HEDDLE_CHECK(runOriginal());
  HEDDLE_TRY(sources_, readSources(options_.run.program, options_.run.useCache));
  tune::Tuning tuning{.device = trials_.original().profile.device,
                      .timedBy = gpu_ ? gpu_->name : "model",
                      .exhaustive = options_.exhaustive};
  HEDDLE_TRY(const std::vector<Subject> subjects, chooseKernels(tuning));
  for (const Subject& subject : subjects) {
    HEDDLE_TRY(tune::KernelTuning kernel, tuneKernel(subject));
    tuning.kernels.push_back(std::move(kernel));
  }
  return tuning;
}

} // namespace heddle::driver
