// SPDX-License-Identifier: Apache-2.0
#include "driver/TuneSearch.h"

#include "driver/ConfigurationTrials.h"
#include "driver/RewrittenFiles.h"
#include "driver/TuneFacts.h"
#include "tune/TuneInterval.h"

#include <chrono>

namespace heddle::driver {
namespace {

using tune::Configuration;

/// What is known of a kernel before its search.
tune::KernelTuning startTuning(const TuneSubject& subject, const TunableKernel& kernel,
                               const LargestLaunch& largest) {
  const TuneOptions& options = subject.options;
  tune::KernelTuning tuning{
      .kernel = kernel.name,
      .id = kernel.profile->id,
      .file = kernel.file,
      .line = subject.sources.at(kernel.file)->lineOf(kernel.function->getLocation()),
      .size = options.size ? std::uint64_t(*options.size) : kernel.asked.value_or(largest.threads),
      .grid = largest.grid,
      .block = largest.block,
      .byProgram = kernel.asked.has_value()};
  if (kernel.profile->timing)
    tuning.bound = profile::boundNames[std::size_t(kernel.profile->timing->bound())];
  return tuning;
}

/// Step 3.
Expected<tune::KernelTuning> tuneKernel(const TuneSubject& subject, const TunableKernel& kernel,
                                        const ProgramTrials::Report& report) {
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = [began] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const TuneOptions& options = subject.options;
  const LargestLaunch largest = largestLaunch(subject.profile(), *kernel.profile);
  tune::KernelTuning tuning = startTuning(subject, kernel, largest);
  const tune::Space space =
      tuneSpace({subject.profile(), *kernel.profile, kernel.tunables, subject.device().limits,
                 options.macros, kernel.asked.has_value()},
                tuning.fixed);
  tuning.parameters = space.parameters;
  const tune::KernelFacts facts = factsOf(*kernel.profile, subject.device(), largest.threads);
  tune::PayoffPruning payoff(loopFacts(*kernel.profile, kernel.tunables));
  BuiltConfigurations built;
  const tune::SearchHooks hooks{
      .measure =
          [&](const Configuration& wanted) {
            report(wanted.key().empty() ? "the kernel as it is" : wanted.key());
            return measure(subject, kernel, wanted, built);
          },
      .prove = [&](const Configuration& wanted) -> Expected<std::string> {
        report("whether results are equal with " + wanted.key());
        HEDDLE_TRY(const ConfigurationProof proof, prove(subject, kernel, wanted, built));
        tuning.comparedBytes = proof.bytes;
        return proof.difference;
      },
      .prune = [&](const tune::Space& all, const tune::Point& point,
                   const tune::Attempt& best) -> std::optional<tune::Ruling> {
        if (auto ruling = tune::pruneByOccupancy(facts, all, point, best))
          return ruling;
        return payoff(all, point);
      },
      .isOver = [&] { return options.seconds && seconds() > double(*options.seconds); }};
  HEDDLE_TRY(tuning.search, tune::search(space, hooks, options.exhaustive));
  const tune::TuneInterval interval = tune::tuneInterval(facts.bound == profile::Bound::Issue);
  tuning.low = tuning.search.gain() * (subject.gpu ? 1 : interval.low);
  tuning.high = tuning.search.gain() * (subject.gpu ? 1 : interval.high);
  tuning.diff =
      diffOf(subject.sources, changedBy(subject, kernel, tuning.search.winner().configuration));
  tuning.seconds = seconds();
  return tuning;
}

} // namespace

Expected<TuneResult> searchConfigurations(const TuneOptions& options,
                                          const std::filesystem::path& folder,
                                          const ProgramTrials::Report& report) {
  // Step 1
  HEDDLE_TRY(TuneSubject subject, runOriginal(options, folder, report));
  // Step 2
  HEDDLE_TRY(ChosenKernels chosen, chooseKernels(subject));
  tune::Tuning tuning{.device = subject.profile().device,
                      .timedBy = subject.gpu ? subject.gpu->name : "model",
                      .exhaustive = options.exhaustive,
                      .left = std::move(chosen.left)};
  // Step 3
  for (const TunableKernel& kernel : chosen.kernels) {
    HEDDLE_TRY(tune::KernelTuning tuned, tuneKernel(subject, kernel, report));
    tuning.kernels.push_back(std::move(tuned));
  }
  return TuneResult{std::move(tuning), std::move(subject.sources)};
}

} // namespace heddle::driver
