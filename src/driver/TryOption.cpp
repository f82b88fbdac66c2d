// SPDX-License-Identifier: Apache-2.0
#include "driver/TryOption.h"

#include "advise/Prediction.h"
#include "driver/RegisterNeed.h"
#include "driver/RewrittenFiles.h"
#include "driver/RunRefusals.h"
#include "driver/Standing.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heddle::driver {
namespace {

using profile::KernelProfile;
using profile::ProgramProfile;

const std::vector<std::string>& unfusedFlags() {
  static const std::vector<std::string> flags = {"-ffp-contract=off"};
  return flags;
}

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

/// "; line 12 wrote it", where that can be told.
std::string writerOf(ProgramTrials& trials, const ChangedFiles& files,
                     const TrialDifference& difference) {
  if (difference.watch.empty())
    return "";
  const auto again = trials.run(files, 0, {{profile::Setting::Watch, difference.watch}});
  if (!again)
    return "";
  const auto writer = profile::writerOf(again->record, difference.copy);
  return writer && *writer ? fmt::format("; written by {}", **writer) : "";
}

/// Whether both are equal where no multiplication is fused with an addition. A compiler fuses
/// a * b + c where it sees both; a rewrite may part or join them.
bool differsByFusion(const FixSubject& subject, const ChangedFiles& files,
                     const profile::Tolerance& tolerance, UnfusedOriginal& unfused) {
  if (!subject.options.run.program.flags.device.empty()) // it was so already
    return false;
  const Trial* const before = unfused.get(*subject.trials);
  if (before == nullptr)
    return false;
  const auto after = subject.trials->run(files, 0, {}, unfusedFlags());
  if (!after)
    return false;
  const auto compared =
      compareTrials(*before, *after, {.tolerance = tolerance, .ignoreOutput = true});
  return compared && !compared->difference;
}

/// Of a rewrite that reorders sums, unless --tolerance allows for it.
std::optional<std::string> roundings(const Option& option, const Held& held) {
  const bool within = held.largest.floats <= option.tolerance.floats &&
                      held.largest.doubles <= option.tolerance.doubles;
  if (within || (held.difference && !held.difference->isPrinted))
    return std::nullopt;
  const double farthest = std::max(held.largest.floats, held.largest.doubles);
  return fmt::format("numbers differ by up to {:.1e} of their value, since sums come in another "
                     "order; --tolerance {:g} accepts that",
                     farthest, std::pow(10.0, std::ceil(std::log10(farthest))));
}

/// What differs, who wrote it, and what it may come from.
std::string differenceText(const FixSubject& subject, const Option& option,
                           const ChangedFiles& files, const TrialDifference& difference,
                           UnfusedOriginal& unfused) {
  std::string text = difference.text + writerOf(*subject.trials, files, difference);
  if (option.reorders && !difference.isPrinted)
    text += "; sums of floating-point numbers come in another order, and --tolerance REL allows "
            "for such roundings";
  if (!difference.isPrinted && differsByFusion(subject, files, option.tolerance, unfused))
    text += "; only fused multiply-adds differ: with -fmad=false the two are equal, and "
            "--tolerance REL allows for such roundings";
  return text;
}

/// Why the rewritten program is not built: the first thing that its compiler says, or that the
/// device library's headers are newer than the language that this file is written in.
std::string buildFailure(const FixSubject& subject, const Option& option,
                         const std::string& message) {
  const auto source = subject.sources.find(option.file);
  const bool isOlder = source != subject.sources.end() &&
                       !source->second->ast().getLangOpts().CPlusPlus17 &&
                       message.find("/heddle/") != std::string::npos;
  if (isOlder)
    return "headers of the device library need C++17, and " + option.file +
           " is compiled as an older C++: with -std=c++17 it could be tried";
  return message.substr(0, message.find("\n", message.find("error:")));
}

/// Of a form that is right: what it saves, and whether that pays.
Attempt judged(const FixSubject& subject, Option option, Held held) {
  const ProgramProfile& before = subject.profile();
  held.proof.tolerance = option.tolerance.floats; // where it looked further, all was equal
  const double saved = secondsOf(before) - secondsOf(held.after);
  const KernelProfile& kernel = kernelOf(before, option.candidate.kernelId);
  advise::predict(option.candidate, kernel, kernelSpeedup(kernel, saved));
  const advise::Pays pays = advise::judge(option.candidate);
  const advise::Standing was = standingOf(before, kernelIds(before));
  const advise::Standing is = standingOf(held.after, kernelIds(held.after));
  const std::string numbers = fmt::format(
      "efficiency {:.1f} -> {:.1f} %, {:.2f} times the instructions", 100 * was.efficiency,
      100 * is.efficiency, double(is.warpInstructions) / double(was.warpInstructions));
  if (pays == advise::Pays::No)
    return {option, refused(option, runRefusals["does-not-pay"], numbers)};
  if (pays == advise::Pays::TooClose && !subject.options.likely)
    return {option, refused(option, runRefusals["too-close"],
                            fmt::format("{:.2f}x to {:.2f}x; {}", option.candidate.low,
                                        option.candidate.high, numbers))};
  if (is.spills > was.spills)
    return {option,
            refused(option, runRefusals["spills-more"],
                    fmt::format("{} bytes of a thread do not fit into {} registers, {} before",
                                is.spills, is.registers, was.spills))};
  if (option.candidate.rewrite != "launch-bounds")
    if (const auto reason = mightNotStart(before, held.after, subject.options.run.device.gpu.limits,
                                          subject.sources))
      return {option, refused(option, runRefusals["too-many-registers"], *reason)};
  option.candidate.applies = true;
  option.candidate.reason = numbers;
  return {std::move(option), std::nullopt, std::move(held), saved};
}

} // namespace

const Trial* UnfusedOriginal::get(ProgramTrials& trials) {
  const std::scoped_lock lock(mutex_);
  if (!trial_)
    if (auto trial = trials.run({}, 0, {}, unfusedFlags()))
      trial_ = *std::move(trial);
  return trial_ ? &*trial_ : nullptr;
}

Attempt tryOption(const FixSubject& subject, Option option, UnfusedOriginal& unfused) {
  const ChangedFiles files = edited(subject.sources, {{option.file, option.edits}});
  const bool looksFurther = option.reorders && subject.options.tolerance == 0;
  const profile::Tolerance within =
      looksFurther ? larger(option.tolerance, reorderedSums) : option.tolerance;
  auto held = holdAgainstOriginal(subject, files, within);
  if (!held) // what we wrote does not even compile or run
    return {option, refused(option, runRefusals["does-not-build"],
                            buildFailure(subject, option, held.error().message))};
  if (const auto rounds = roundings(option, *held))
    return {option, refused(option, runRefusals["rounds-otherwise"], *rounds)};
  if (held->difference)
    return {option, refused(option, runRefusals["results-differ"],
                            differenceText(subject, option, files, *held->difference, unfused))};
  return judged(subject, std::move(option), *std::move(held));
}

} // namespace heddle::driver
