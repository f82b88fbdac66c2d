// SPDX-License-Identifier: Apache-2.0
#include "driver/OptionTrials.h"

#include "advise/Prediction.h"
#include "driver/RunRefusals.h"
#include "driver/SourceTexts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <system_error>
#include <thread>

namespace heddle::driver {
namespace {

using advise::Candidate;
using profile::KernelProfile;
using profile::ProgramProfile;

constexpr unsigned mostAtOnce = 8; ///< trials

/// The speedup of one kernel if the whole program saves that many seconds.
double kernelSpeedup(const KernelProfile& kernel, double saved) {
  const double seconds = kernel.timing ? kernel.timing->seconds : 0;
  return seconds > 0 ? seconds / std::max(seconds * 1e-3, seconds - saved) : 1;
}

profile::Tolerance larger(const profile::Tolerance& a, const profile::Tolerance& b) {
  return {.floats = std::max(a.floats, b.floats), .doubles = std::max(a.doubles, b.doubles)};
}

const KernelProfile& kernelOf(const ProgramProfile& profile, const std::string& id) {
  const auto found = std::ranges::find(profile.kernels, id, &KernelProfile::id);
  assert(found != profile.kernels.end() && "its places were found in this profile");
  return *found;
}

} // namespace

double secondsOf(const ProgramProfile& profile) {
  double sum = 0;
  for (const KernelProfile& kernel : profile.kernels)
    sum += kernel.timing ? kernel.timing->seconds : 0;
  return sum;
}

advise::Standing standingOf(const ProgramProfile& profile, const std::set<std::string>& ids) {
  advise::Standing standing;
  std::uint64_t slots = 0, used = 0;
  for (const KernelProfile& kernel : profile.kernels) {
    if (!ids.contains(kernel.id))
      continue;
    slots += kernel.slots();
    used += kernel.threadInstructions;
    standing.warpInstructions += kernel.warpInstructions;
    if (!kernel.timing)
      continue;
    standing.seconds += kernel.timing->seconds;
    standing.registers = std::max(standing.registers, kernel.timing->registers.registers);
    standing.spills = std::max(standing.spills, kernel.timing->registers.spillBytes);
    standing.occupancy = standing.occupancy == 0
                             ? kernel.timing->occupancy
                             : std::min(standing.occupancy, kernel.timing->occupancy);
  }
  standing.lostLanes = slots - used;
  standing.efficiency = slots > 0 ? double(used) / double(slots) : 1;
  return standing;
}

std::set<std::string> kernelIds(const ProgramProfile& profile) {
  std::set<std::string> ids;
  for (const KernelProfile& kernel : profile.kernels)
    ids.insert(kernel.id);
  return ids;
}

Candidate refused(const Option& option, const rewrite::RefusalKind& kind, std::string reason) {
  Candidate candidate = option.candidate;
  candidate.applies = false;
  candidate.id = kind.id;
  candidate.reason = std::move(reason);
  return candidate;
}

ChangedFiles OptionTrials::edited(const FileEdits& edits) const {
  ChangedFiles files;
  for (const auto& [file, these] : edits) {
    const std::string& original = sources_.at(file)->text();
    files[file] = withLineEndsOf(original, these.apply(original));
  }
  return files;
}

std::string OptionTrials::writerOf(const ChangedFiles& files, const TrialDifference& difference) {
  if (difference.watch.empty())
    return "";
  const auto again = trials_.run(files, 0, {{profile::Setting::Watch, difference.watch}});
  if (!again)
    return "";
  const auto writer = profile::writerOf(again->record, difference.copy);
  return writer && *writer ? fmt::format("; written by {}", **writer) : "";
}

Expected<Held> OptionTrials::holdAgainstOriginal(const ChangedFiles& files,
                                                 const profile::Tolerance& tolerance) {
  Held held;
  held.proof = {.tolerance = tolerance.floats, .outputIgnored = options_.ignoreOutput};
  for (std::size_t i = 0; i < trials_.inputs(); ++i) {
    HEDDLE_TRY(Trial trial, trials_.run(files, i));
    const auto result = trials_.compare(i, trial, tolerance);
    std::error_code error;
    std::filesystem::remove(trial.record, error); // it may be large
    HEDDLE_TRY(const TrialComparison compared, result);
    held.difference = compared.difference;
    held.largest.floats = std::max(held.largest.floats, compared.largest.floats);
    held.largest.doubles = std::max(held.largest.doubles, compared.largest.doubles);
    held.proof.largest = std::max(held.largest.floats, held.largest.doubles);
    if (held.difference)
      return held;
    ++held.proof.runs;
    held.proof.bytes += compared.bytes;
    held.proof.printed += trial.printed.size();
    if (i == 0)
      held.after = std::move(trial.profile);
  }
  held.proof.equal = true;
  return held;
}

/// A compiler fuses a * b + c where it sees both; a rewrite may part or join them.
bool OptionTrials::differsByFusion(const ChangedFiles& files, const profile::Tolerance& tolerance) {
  static const std::vector<std::string> unfused = {"-ffp-contract=off"};
  if (!options_.run.program.flags.device.empty()) // it was so already
    return false;
  const std::scoped_lock lock(unfusedMutex_);
  if (!unfused_) {
    auto trial = trials_.run({}, 0, {}, unfused);
    if (!trial)
      return false;
    unfused_ = *std::move(trial);
  }
  const auto after = trials_.run(files, 0, {}, unfused);
  const auto compared = after ? compareTrials(*unfused_, *after, {tolerance, true, {}})
                              : Expected<TrialComparison>(tl::unexpected(after.error()));
  return compared && !compared->difference;
}

std::optional<std::string> OptionTrials::roundings(const Option& option, const Held& held) const {
  const bool within = held.largest.floats <= option.tolerance.floats &&
                      held.largest.doubles <= option.tolerance.doubles;
  if (within || (held.difference && !held.difference->isPrinted))
    return std::nullopt;
  const double farthest = std::max(held.largest.floats, held.largest.doubles);
  return fmt::format("numbers differ by up to {:.1e} of their value, since sums come in another "
                     "order; --tolerance {:g} accepts that",
                     farthest, std::pow(10.0, std::ceil(std::log10(farthest))));
}

/// Several run at once.
Attempt OptionTrials::tryOne(Option option) {
  const ChangedFiles files = edited({{option.file, option.edits}});
  const bool looksFurther = option.reorders && options_.tolerance == 0;
  const profile::Tolerance within =
      looksFurther ? larger(option.tolerance, reorderedSums) : option.tolerance;
  auto held = holdAgainstOriginal(files, within);
  if (!held) // what we wrote does not even compile or run
    return {option, refused(option, runRefusals["does-not-build"], held.error().message)};
  if (const auto rounds = roundings(option, *held))
    return {option, refused(option, runRefusals["rounds-otherwise"], *rounds)};
  if (held->difference) {
    const bool byFusion = !held->difference->isPrinted && differsByFusion(files, option.tolerance);
    const char* byOrder = option.reorders && !held->difference->isPrinted
                              ? "; sums of floating-point numbers come in another order, and "
                                "--tolerance REL allows for such roundings"
                              : "";
    return {option,
            refused(option, runRefusals["results-differ"],
                    held->difference->text + writerOf(files, *held->difference) + byOrder +
                        (byFusion ? "; only fused multiply-adds differ: with -fmad=false the two "
                                    "are equal, and --tolerance REL allows for such roundings"
                                  : ""))};
  }
  const ProgramProfile& before = trials_.original().profile;
  option.held = *std::move(held);
  option.held.proof.tolerance = option.tolerance.floats; // where it looked further, all was equal
  const ProgramProfile& after = option.held.after;
  const KernelProfile& kernel = kernelOf(before, option.candidate.kernelId);
  option.saved = secondsOf(before) - secondsOf(after);
  advise::predict(option.candidate, kernel, kernelSpeedup(kernel, option.saved));
  const advise::Pays pays = advise::judge(option.candidate);
  const advise::Standing was = standingOf(before, kernelIds(before));
  const advise::Standing is = standingOf(after, kernelIds(after));
  const std::string numbers = fmt::format(
      "efficiency {:.1f} -> {:.1f} %, {:.2f} times the instructions", 100 * was.efficiency,
      100 * is.efficiency, double(is.warpInstructions) / double(was.warpInstructions));
  if (pays == advise::Pays::No)
    return {option, refused(option, runRefusals["does-not-pay"], numbers)};
  if (pays == advise::Pays::TooClose && !options_.likely)
    return {option, refused(option, runRefusals["too-close"],
                            fmt::format("{:.2f}x to {:.2f}x; {}", option.candidate.low,
                                        option.candidate.high, numbers))};
  if (is.spills > was.spills)
    return {option,
            refused(option, runRefusals["spills-more"],
                    fmt::format("{} bytes of a thread do not fit into {} registers, {} before",
                                is.spills, is.registers, was.spills))};
  option.candidate.applies = true;
  option.candidate.reason = numbers;
  return {std::move(option), std::nullopt};
}

std::vector<std::optional<Attempt>> OptionTrials::tryAll(const std::vector<Option>& options,
                                                         double budget, const Report& report) {
  std::vector<std::optional<Attempt>> attempts(options.size());
  const auto began = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  double best = 0;
  const auto mayBegin = [&](std::size_t number) {
    const std::scoped_lock lock(mutex);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    if (stopped_ || (number > 0 && spent.count() > budget))
      return false;
    const Candidate& candidate = options[number].candidate;
    report(fmt::format("{} of {}: {} {} in line {}{}", number + 1, options.size(),
                       candidate.rewrite, candidate.form, candidate.line,
                       best > 0 ? fmt::format("; best so far {:.2f}x", best) : ""));
    return true;
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < options.size() && mayBegin(i); i = next++) {
      Attempt attempt = tryOne(options[i]);
      const std::scoped_lock lock(mutex);
      if (!attempt.refusal)
        best = std::max(best, attempt.option.candidate.predictedSpeedup);
      if (!stopped_ || !attempt.refusal) // a stop ends its run, too
        attempts[i] = std::move(attempt);
    }
  };
  const std::size_t cores = std::clamp(std::thread::hardware_concurrency(), 1u, mostAtOnce);
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(cores, options.size()); ++i)
    others.emplace_back(work);
  work();
  others.clear(); // waits for them
  return attempts;
}

} // namespace heddle::driver
