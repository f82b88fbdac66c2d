// SPDX-License-Identifier: Apache-2.0
#include "driver/ProgramTrials.h"

#include "support/Terminal.h"

#include <chrono>
#include <cstdio>

namespace heddle::driver {
namespace {

constexpr int mostRunsAgain = 4; ///< of the original, to see what it prints otherwise

} // namespace

/// Who wrote the byte in which two runs of the original differ: "; written by a.cu:3: ...".
std::string ProgramTrials::writerOf(std::size_t input, const TrialDifference& difference) {
  if (difference.watch.empty())
    return "";
  const auto again =
      bench_.runBuilt(program_, inputs_[input], {{profile::Setting::Watch, difference.watch}});
  if (!again)
    return "";
  const auto writer = profile::writerOf(again->record, difference.copy);
  return writer && *writer ? fmt::format("; written by {}", **writer) : "";
}

/// The original once more. Its memory must be the same.
Expected<void> ProgramTrials::runAgain() {
  HEDDLE_TRY(const Trial again, bench_.runBuilt(program_, inputs_.front()));
  HEDDLE_TRY(const TrialComparison same,
             compareTrials(originals_.front(), again, {.tolerance = {}, .ignoreOutput = true}));
  if (same.difference)
    return fail(
        ErrorKind::Unsupported,
        "two runs of the program as it is leave other memory, so nothing can be proven: {}{}",
        same.difference->text, writerOf(0, *same.difference));
  HEDDLE_CHECK(learnFrom(0, again));
  removeKept(again);
  return {};
}

/// The original once more for what it prints and writes, with the host's memory elsewhere: a
/// rewritten program may have it elsewhere, too.
Expected<void> ProgramTrials::learn(std::size_t input) {
  HEDDLE_TRY(const Trial again,
             bench_.runBuilt(program_, inputs_[input], {}, Recording::On, HostMemory::Anywhere));
  HEDDLE_CHECK(learnFrom(input, again));
  removeKept(again);
  ++runsAgain_[input];
  return {};
}

Expected<void> ProgramTrials::learnFrom(std::size_t input, const Trial& again) {
  varying_[input].learn(originals_[input].printed, again.printed);
  return varyingFiles_[input].learn(originals_[input].files, again.files);
}

/// The original with its blocks the other way round. Where it does not come to its end so, nothing
/// is learned.
Expected<void> ProgramTrials::reorder(std::size_t input) {
  HEDDLE_TRY(reordered_[input],
             bench_.runBuilt(program_, inputs_[input], {{profile::Setting::Backwards, "1"}}));
  Trial& again = *reordered_[input];
  if (again.profile.ending != profile::Ending::Complete) {
    again.record.clear();
    return {};
  }
  return learnFrom(input, again);
}

/// The first input twice.
Expected<void> ProgramTrials::runInputs(const profile::ProgramSettings& extra) {
  originals_.clear();
  const auto begin = std::chrono::steady_clock::now();
  for (const Input& input : inputs_) {
    HEDDLE_TRY(
        Trial trial,
        bench_.runBuilt(program_, input, originals_.empty() ? extra : profile::ProgramSettings{}));
    if (originals_.empty())
      runSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    originals_.push_back(std::move(trial));
    const profile::ProgramProfile& left = originals_.back().profile;
    if (left.ending != profile::Ending::Complete)
      return fail(ErrorKind::BadInput, "the program does not run to its end: {}", left.fault);
  }
  if (originals_.front().profile.kernels.empty())
    return fail(ErrorKind::BadInput, "the program launches no kernel");
  return runAgain();
}

/// Where it stops only because it goes outside of its memory, all inputs again with that let pass.
Expected<void> ProgramTrials::runPastStrays(const profile::ProgramSettings& extra,
                                            const Report& report) {
  auto done = runInputs(extra);
  if (done || !straysMayPass_ || originals_.empty() || !originals_.back().profile.faultMayPass)
    return done;
  report("the program as it is, past its arrays");
  bench_.letStraysPass();
  return runInputs(extra);
}

Expected<void> ProgramTrials::runOriginal(std::vector<Input> inputs, const Report& report,
                                          const profile::ProgramSettings& extra) {
  if (!isTerminal(stdin)) {
    report("what comes on standard input");
    HEDDLE_CHECK(bench_.giveInput(fileno(stdin)));
  }
  report("the program as it is");
  inputs_ = std::move(inputs);
  varying_.resize(inputs_.size());
  varyingFiles_.resize(inputs_.size());
  runsAgain_.resize(inputs_.size());
  reordered_.resize(inputs_.size());
  const auto begin = std::chrono::steady_clock::now();
  HEDDLE_TRY(program_, bench_.build({}, {}));
  buildSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto done = runPastStrays(extra, report);
  if (done || done.error().kind != ErrorKind::Unsupported)
    return done;
  report("the program as it is, one block after the other");
  bench_.runInOrder();
  return runPastStrays(extra, report);
}

Expected<TrialComparison> ProgramTrials::compare(std::size_t input, const Trial& after,
                                                 const profile::Tolerance& tolerance) {
  const bool mayReorder = tolerance.floats > 0 || tolerance.doubles > 0;
  for (;;) {
    TrialEquality equality{.tolerance = tolerance, .ignoreOutput = ignoreOutput_};
    {
      const std::scoped_lock lock(mutex_);
      equality.varying = varying_[input];
      equality.files = varyingFiles_[input];
      if (mayReorder && reordered_[input])
        equality.reordered = reordered_[input]->record;
    }
    HEDDLE_TRY(const TrialComparison compared, compareTrials(originals_[input], after, equality));
    if (!compared.difference)
      return compared;
    const std::scoped_lock lock(mutex_);
    if (mayReorder && !reordered_[input]) {
      HEDDLE_CHECK(reorder(input));
      continue;
    }
    if (!compared.difference->isPrinted || runsAgain_[input] >= mostRunsAgain)
      return compared;
    HEDDLE_CHECK(learn(input));
  }
}

std::vector<std::string> ProgramTrials::setAside() const {
  const std::scoped_lock lock(mutex_);
  if (ignoreOutput_ || varying_.empty())
    return {};
  std::vector<std::string> all = varying_.front().setAside();
  const std::vector<std::string> files = varyingFiles_.front().setAside();
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

std::vector<profile::Stray> ProgramTrials::strays() const {
  std::vector<profile::Stray> all;
  for (const Trial& original : originals_)
    profile::addStrays(all, original.profile.strays);
  return all;
}

} // namespace heddle::driver
