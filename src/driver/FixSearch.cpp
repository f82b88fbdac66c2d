// SPDX-License-Identifier: Apache-2.0
#include "driver/FixSearch.h"

#include "advise/Prediction.h"
#include "driver/BuildCommand.h"
#include "driver/RunRefusals.h"
#include "driver/SourceTexts.h"
#include "machine/DeviceCatalog.h"
#include "profile/TouchReport.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/UnifiedDiff.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/Terminal.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>

namespace heddle::driver {
namespace {

using advise::Candidate;
using profile::KernelProfile;
using profile::ProgramProfile;
using rewrite::Rewrite;

double secondsOf(const ProgramProfile& profile) {
  double sum = 0;
  for (const KernelProfile& kernel : profile.kernels)
    sum += kernel.timing ? kernel.timing->seconds : 0;
  return sum;
}

std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  for (const std::string_view word : splitText(line, ' '))
    if (!word.empty())
      words.emplace_back(word);
  return words;
}

/// The speedup of one kernel if the whole program saves that many seconds.
double kernelSpeedup(const KernelProfile& kernel, double saved) {
  const double seconds = kernel.timing ? kernel.timing->seconds : 0;
  return seconds > 0 ? seconds / std::max(seconds * 1e-3, seconds - saved) : 1;
}

const KernelProfile& kernelOf(const ProgramProfile& profile, const std::string& id) {
  const auto found = std::ranges::find(profile.kernels, id, &KernelProfile::id);
  assert(found != profile.kernels.end() && "its places were found in this profile");
  return *found;
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

/// What one thread did to the byte, for a message.
std::string accessText(const profile::ThreadAccess& access) {
  static constexpr std::array words = {"reads", "writes", "changes"};
  return fmt::format("thread {} {} in line {}", access.thread, words[std::size_t(access.access)],
                     access.where.line);
}

} // namespace

/// Step 1.
Expected<void> FixSearch::runOriginal() {
  if (!isTerminal(stdin)) {
    report_("what comes on standard input");
    HEDDLE_CHECK(bench_.giveInput(fileno(stdin)));
  }
  inputs_.push_back(options_.run.arguments);
  for (const std::string& line : options_.inputs)
    inputs_.push_back(wordsOf(line));
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    report_("the program as it is");
    HEDDLE_TRY(Trial trial, bench_.run({}, inputs_[i], environment_));
    if (environment_.empty() && usesAtomics(trial.profile)) {
      // In which order blocks come to an atomic must not differ between two runs.
      environment_ = {{"HEDDLE_WORKERS", "1"}};
      HEDDLE_TRY(trial, bench_.run({}, inputs_[i], environment_));
    }
    if (trial.profile.ending != profile::Ending::Complete)
      return fail(ErrorKind::BadInput, "the program does not run to its end: {}",
                  trial.profile.fault);
    before_.push_back(std::move(trial));
  }
  HEDDLE_TRY(const Trial again, bench_.run({}, inputs_.front(), environment_));
  HEDDLE_TRY(const TrialComparison same, compareTrials(before_.front(), again, equality({})));
  if (same.difference)
    return fail(ErrorKind::Unsupported,
                "two runs of the program as it is differ, so nothing can be proven: {}{}",
                same.difference->text,
                same.difference->watch.empty() ? " (--ignore-output leaves out what is printed)"
                                               : "");
  if (before_.front().profile.kernels.empty())
    return fail(ErrorKind::BadInput, "the program launches no kernel");
  return {};
}

/// Step 2 for one rewrite of one place.
void FixSearch::ask(const Rewrite& rewrite, const Place& place) {
  if (!options_.only.empty() && options_.only != rewrite.name)
    return;
  const rewrite::Source& source = *sources_[place.file];
  const rewrite::Target& target = place.target;
  auto proposals = rewrite::ask(rewrite, source, target);
  if (!proposals) {
    fix_.candidates.push_back(refusedOf(rewrite, place, proposals.error()));
    return;
  }
  Candidate candidate = candidateOf(rewrite, place);
  const bool sumsFloats =
      target.kernel != nullptr && rewrite::sumsFloatsAtomically(source, *target.kernel->getBody());
  const profile::Tolerance least = sumsFloats ? floatSums : profile::Tolerance{};
  const profile::Tolerance tolerance{.floats = std::max(least.floats, options_.tolerance),
                                     .doubles = std::max(least.doubles, options_.tolerance)};
  for (rewrite::Proposal& proposal : *proposals) {
    candidate.form = proposal.form;
    found_.push_back(
        {candidate, place.file, std::move(proposal.edits), tolerance, rewrite.needsIndependence});
  }
}

void FixSearch::findOptions() {
  for (const Place& place : findPlaces(before_.front().profile, sources_, limits_, options_.place))
    for (const Rewrite* rewrite : rewrite::allRewrites())
      if (rewrite->ofKernel == !place.target.branch)
        ask(*rewrite, place);
}

Expected<void> FixSearch::refuseDependent() {
  if (options_.trust || std::ranges::none_of(found_, &Option::needsIndependence))
    return {};
  report_("whether threads are independent");
  const std::filesystem::path file = folder_ / "touches.json";
  auto environment = environment_;
  environment.emplace_back("HEDDLE_TOUCHES", file.string());
  HEDDLE_CHECK(bench_.run({}, inputs_.front(), environment));
  HEDDLE_TRY(const std::string text, readFile(file));
  HEDDLE_TRY(const std::vector<profile::KernelTouches> touches,
             profile::readTouches(text, "the touched memory"));
  std::vector<Option> independent;
  for (Option& option : found_) {
    const auto kernel =
        std::ranges::find(touches, option.candidate.kernelId, &profile::KernelTouches::id);
    if (option.needsIndependence && kernel != touches.end() && kernel->global)
      refuse(option, runRefusals["dependent-threads"],
             fmt::format("of {}, {} what {}", kernel->global->region,
                         accessText(kernel->global->first), accessText(kernel->global->second)));
    else
      independent.push_back(std::move(option));
  }
  found_ = std::move(independent);
  return {};
}

std::string FixSearch::edited(const std::string& file, const rewrite::Edits& edits) const {
  const auto& original = sources_.at(file)->text();
  return withLineEndsOf(original, edits.apply(original));
}

std::string FixSearch::writerOf(const ChangedFiles& files, const TrialDifference& difference) {
  if (difference.watch.empty())
    return "";
  auto environment = environment_;
  environment.emplace_back("HEDDLE_WATCH", difference.watch);
  const auto again = bench_.run(files, inputs_.front(), environment);
  if (!again)
    return "";
  const auto writer = profile::writerOf(again->record, difference.copy);
  return writer && *writer ? fmt::format("; written by {}", **writer) : "";
}

Expected<Trial> FixSearch::runChanged(const ChangedFiles& files, std::size_t input) {
  return bench_.run(files, inputs_[input], environment_);
}

Expected<std::optional<TrialDifference>>
FixSearch::differs(const ChangedFiles& files, const profile::Tolerance& tolerance, Trial& first) {
  fix_.proof = {.tolerance = tolerance.floats, .outputIgnored = options_.ignoreOutput};
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    HEDDLE_TRY(Trial trial, runChanged(files, i));
    HEDDLE_TRY(const TrialComparison compared,
               compareTrials(before_[i], trial, equality(tolerance)));
    if (compared.difference)
      return compared.difference;
    ++fix_.proof.runs;
    fix_.proof.bytes += compared.bytes;
    fix_.proof.printed += trial.printed.size();
    if (i == 0)
      first = std::move(trial);
  }
  fix_.proof.equal = true;
  return std::optional<TrialDifference>{};
}

/// A compiler fuses a * b + c where it sees both; a rewrite may part or join them.
bool FixSearch::differsByFusion(const ChangedFiles& files, const profile::Tolerance& tolerance) {
  static const std::vector<std::string> unfused = {"-ffp-contract=off"};
  if (!options_.run.flags.device.empty()) // it was so already
    return false;
  if (!unfused_) {
    auto trial = bench_.run({}, inputs_.front(), environment_, unfused);
    if (!trial)
      return false;
    unfused_ = *std::move(trial);
  }
  const auto after = bench_.run(files, inputs_.front(), environment_, unfused);
  const auto compared = after ? compareTrials(*unfused_, *after, equality(tolerance))
                              : Expected<TrialComparison>(tl::unexpected(after.error()));
  return compared && !compared->difference;
}

void FixSearch::refuse(const Option& option, const rewrite::RefusalKind& kind, std::string reason) {
  Candidate candidate = option.candidate;
  candidate.applies = false;
  candidate.id = kind.id;
  candidate.reason = std::move(reason);
  fix_.candidates.push_back(std::move(candidate));
}

/// Step 3 for one of them. True: it pays.
Expected<bool> FixSearch::tryOption(Option& option) {
  const ChangedFiles files = {{option.file, edited(option.file, option.edits)}};
  Trial after;
  auto difference = differs(files, option.tolerance, after);
  if (!difference) { // what we wrote does not even compile or run
    refuse(option, runRefusals["does-not-build"], difference.error().message);
    return false;
  }
  if (*difference) {
    refuse(option, runRefusals["results-differ"],
           (*difference)->text + writerOf(files, **difference) +
               (differsByFusion(files, option.tolerance)
                    ? "; only fused multiply-adds differ: with -fmad=false the two are equal, and "
                      "--tolerance REL allows for such roundings"
                    : ""));
    return false;
  }
  const ProgramProfile& before = before_.front().profile;
  const KernelProfile& kernel = kernelOf(before, option.candidate.kernelId);
  option.saved = secondsOf(before) - secondsOf(after.profile);
  advise::predict(option.candidate, kernel, kernelSpeedup(kernel, option.saved));
  const advise::Pays pays = advise::judge(option.candidate);
  const advise::Standing was = standingOf(before, kernelIds(before));
  const advise::Standing is = standingOf(after.profile, kernelIds(after.profile));
  const std::string numbers = fmt::format(
      "efficiency {:.1f} -> {:.1f} %, {:.2f} times the instructions", 100 * was.efficiency,
      100 * is.efficiency, double(is.warpInstructions) / double(was.warpInstructions));
  if (pays == advise::Pays::No) {
    refuse(option, runRefusals["does-not-pay"], numbers);
    return false;
  }
  if (pays == advise::Pays::TooClose && !options_.likely) {
    refuse(option, runRefusals["too-close"],
           fmt::format("{:.2f}x to {:.2f}x; {}", option.candidate.low, option.candidate.high,
                       numbers));
    return false;
  }
  if (is.spills > was.spills) {
    refuse(option, runRefusals["spills-more"],
           fmt::format("{} bytes of a thread do not fit into {} registers, {} before", is.spills,
                       is.registers, was.spills));
    return false;
  }
  option.candidate.applies = true;
  option.candidate.reason = numbers;
  return true;
}

Expected<void> FixSearch::tryOptions() {
  for (std::size_t i = 0; i < found_.size(); ++i) {
    Option& option = found_[i];
    const Candidate& candidate = option.candidate;
    report_(fmt::format("{} of {}: {} {} in line {}", i + 1, found_.size(), candidate.rewrite,
                        candidate.form, candidate.line));
    HEDDLE_TRY(const bool pays, tryOption(option));
    if (pays)
      paying_.push_back(option);
  }
  std::ranges::sort(paying_, [](const Option& a, const Option& b) { return a.saved > b.saved; });
  return {};
}

/// Step 4.
Expected<void> FixSearch::combine() {
  std::map<std::string, rewrite::Edits> edits;
  std::vector<Option> chosen;
  profile::Tolerance tolerance;
  double best = 0;
  const auto apply = [&](const std::map<std::string, rewrite::Edits>& all) {
    ChangedFiles files;
    for (const auto& [file, these] : all)
      files[file] = edited(file, these);
    return files;
  };
  std::optional<Trial> after;
  advise::Proof proof;
  for (Option& option : paying_) {
    if (edits.contains(option.file) && edits[option.file].overlaps(option.edits)) {
      refuse(option, runRefusals["another-is-better"], option.candidate.reason);
      continue;
    }
    auto together = edits;
    together[option.file].addOnce(option.edits);
    tolerance.floats = std::max(tolerance.floats, option.tolerance.floats);
    tolerance.doubles = std::max(tolerance.doubles, option.tolerance.doubles);
    Trial trial;
    auto difference = differs(apply(together), tolerance, trial);
    const bool holds = difference && !*difference;
    const double saved = holds ? secondsOf(before_.front().profile) - secondsOf(trial.profile) : 0;
    const double total = secondsOf(before_.front().profile);
    if (!holds || (!chosen.empty() && (total - saved) * advise::leastGain > total - best)) {
      refuse(option, runRefusals["another-is-better"], option.candidate.reason);
      continue;
    }
    best = saved;
    edits = std::move(together);
    after = std::move(trial);
    proof = fix_.proof;
    chosen.push_back(option);
  }
  fix_.proof = proof;
  for (const Option& option : chosen) {
    fix_.candidates.push_back(option.candidate);
    fix_.applied.push_back(option.candidate);
  }
  if (!after)
    return {};
  changed_ = apply(edits);
  describe(*after);
  return {};
}

/// Before and after, of the kernels that changed and those that came.
void FixSearch::describe(const Trial& after) {
  const ProgramProfile& before = before_.front().profile;
  std::set<std::string> ids;
  for (const Candidate& applied : fix_.applied)
    ids.insert(applied.kernelId);
  const std::set<std::string> known = kernelIds(before);
  std::set<std::string> since = ids;
  for (const KernelProfile& kernel : after.profile.kernels)
    if (!known.contains(kernel.id))
      since.insert(kernel.id);
  fix_.before = standingOf(before, ids);
  fix_.after = standingOf(after.profile, since);
  fix_.build = buildCommand(options_.run, changed_);
  fix_.measurement.predictedSpeedup = secondsOf(before) / secondsOf(after.profile);
  for (const auto& [file, text] : changed_)
    fix_.diff += rewrite::unifiedDiff(diffName(file), sources_[file]->text(), text);
}

const std::string& FixSearch::original(const std::string& file) const {
  return sources_.at(file)->text();
}

Expected<advise::Fix> FixSearch::search() {
  HEDDLE_CHECK(runOriginal());
  HEDDLE_TRY(const machine::Target device, machine::resolveTarget(options_.run.device));
  limits_ = device.limits;
  HEDDLE_TRY(sources_, readSources(options_.run.files, options_.run.flags, options_.run.useCache));
  HEDDLE_CHECK(checkColumn(sources_, options_.place));
  fix_.device = before_.front().profile.device;
  findOptions();
  HEDDLE_CHECK(refuseDependent());
  HEDDLE_CHECK(tryOptions());
  HEDDLE_CHECK(combine());
  const KernelProfile* slowest = nullptr;
  for (const KernelProfile& kernel : before_.front().profile.kernels)
    if (kernel.timing && (slowest == nullptr || kernel.timing->seconds > slowest->timing->seconds))
      slowest = &kernel;
  if (slowest != nullptr)
    fix_.bound = profile::boundNames[std::size_t(slowest->timing->bound())];
  return std::move(fix_);
}

} // namespace heddle::driver
