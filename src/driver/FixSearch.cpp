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
#include <chrono>
#include <iterator>
#include <set>

namespace heddle::driver {
namespace {

using advise::Candidate;
using profile::KernelProfile;
using profile::ProgramProfile;
using rewrite::Rewrite;

std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  for (const std::string_view word : splitText(line, ' '))
    if (!word.empty())
      words.emplace_back(word);
  return words;
}

/// What the model says of the best form; kernels as a whole come last.
double guessOf(const Rewrite& rewrite, const Place& place,
               const std::vector<rewrite::Proposal>& proposals) {
  if (!place.target.branch)
    return 0;
  const advise::PricedBranch branch = advise::describeBranch(
      *place.kernel, place.loss.sum, proposals.front().wayLengths, place.loss.share);
  return rewrite.price(*place.kernel, branch).speedup;
}

/// Seconds for the candidates of a program that takes so long.
double budgetFor(double run) {
  return 10 * run + 20;
}

constexpr double forTrials = 0.75; ///< of the seconds; the rest is to put together what pays

/// The largest first; equals stay in their order.
void sortBy(std::vector<Option>& options, double Option::* key) {
  std::vector<Option> sorted;
  for (Option& each : options)
    sorted.insert(std::ranges::upper_bound(sorted, each.*key, std::ranges::greater{}, key),
                  std::move(each));
  options = std::move(sorted);
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
  std::vector<ProgramTrials::Input> inputs = {options_.run.arguments};
  for (const std::string& line : options_.inputs)
    inputs.push_back(wordsOf(line));
  return trials_.runOriginal(std::move(inputs), report_);
}

/// Step 2 for one rewrite of one place.
bool FixSearch::ask(const Rewrite& rewrite, const Place& place) {
  if (!options_.only.empty() && options_.only != rewrite.name)
    return false;
  const rewrite::Source& source = *sources_[place.file];
  const rewrite::Target& target = place.target;
  auto proposals = rewrite::ask(rewrite, source, target);
  if (!proposals) {
    fix_.candidates.push_back(refusedOf(rewrite, place, proposals.error()));
    return fix_.candidates.back().fits;
  }
  Candidate candidate = candidateOf(rewrite, place);
  const bool sumsFloats =
      target.kernel != nullptr && rewrite::sumsFloatsAtomically(source, *target.kernel->getBody());
  const profile::Tolerance tolerance = toleranceOf(sumsFloats, options_.tolerance);
  const double guess = guessOf(rewrite, place, *proposals);
  for (rewrite::Proposal& proposal : *proposals) {
    const auto isSame = [&](const Option& each) {
      return each.file == place.file && each.edits == proposal.edits;
    };
    if (std::ranges::any_of(found_, isSame)) // of a loop and of the branch in it
      continue;
    candidate.form = proposal.form;
    found_.push_back({candidate, place.file, std::move(proposal.edits), tolerance,
                      rewrite.needsIndependence && !proposal.keepsOrder, proposal.reorders, guess});
  }
  return true;
}

void FixSearch::findOptions() {
  Places places = findPlaces(trials_.original().profile, sources_, limits_, options_.place);
  fix_.places = std::move(places.unanswered);
  fix_.cheap = places.cheap;
  for (const Place& place : places.all) {
    bool anyFits = false;
    for (const Rewrite* rewrite : rewrite::allRewrites())
      if (place.isFor(*rewrite))
        anyFits = ask(*rewrite, place) || anyFits;
    if (!place.target.branch)
      continue;
    fix_.places.push_back({place.kernel->kernel, place.kernel->id, place.file, place.line,
                           place.column, std::max(place.loss.share, place.idiom),
                           anyFits ? "" : whyNothingFits(place)});
  }
}

Expected<void> FixSearch::refuseDependent() {
  if (options_.trust || std::ranges::none_of(found_, &Option::needsIndependence))
    return {};
  report_("whether threads are independent");
  const std::filesystem::path file = folder_ / "touches.json";
  HEDDLE_CHECK(trials_.bench().runBuilt(trials_.program(), trials_.input(0),
                                        {{profile::Setting::Touches, file.string()}}));
  HEDDLE_TRY(const std::string text, readFile(file));
  HEDDLE_TRY(const std::vector<profile::KernelTouches> touches,
             profile::readTouches(text, "the touched memory"));
  std::vector<Option> independent;
  for (Option& option : found_) {
    const auto kernel =
        std::ranges::find(touches, option.candidate.kernelId, &profile::KernelTouches::id);
    if (option.needsIndependence && kernel != touches.end() && kernel->global)
      fix_.candidates.push_back(refused(option, runRefusals["dependent-threads"],
                                        fmt::format("of {}, {} what {}", kernel->global->region,
                                                    accessText(kernel->global->first),
                                                    accessText(kernel->global->second))));
    else
      independent.push_back(std::move(option));
  }
  found_ = std::move(independent);
  return {};
}

double FixSearch::secondsLeft() const {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
  return options_.budget.value_or(budgetFor(trials_.seconds())) - spent.count();
}

std::vector<ProvenForm> FixSearch::forms() const {
  std::vector<ProvenForm> forms = forms_;
  if (together_.chosen.size() > 1)
    forms.push_back({together_.chosen.front(), changed_});
  return forms;
}

void FixSearch::tryOptions() {
  sortBy(found_, &Option::guess);
  const double budget = secondsLeft() * forTrials;
  std::vector<std::optional<Attempt>> attempts = held_.tryAll(found_, budget, report_);
  for (const std::optional<Attempt>& each : attempts)
    if (each && (!each->refusal || each->refusal->id == runRefusals["too-close"].id))
      forms_.push_back(
          {each->option.candidate, held_.edited({{each->option.file, each->option.edits}})});
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (!attempts[i])
      fix_.candidates.push_back(refused(
          found_[i], runRefusals["not-tried"],
          stopped_ ? "the search was stopped"
                   : fmt::format(
                         "{:.0f} s were spent on others; --budget {:.0f} would do for all", budget,
                         budget * double(found_.size()) / double(std::max<std::size_t>(i, 1)))));
    else if (attempts[i]->refusal)
      fix_.candidates.push_back(*attempts[i]->refusal);
    else
      paying_.push_back(std::move(attempts[i]->option));
  sortBy(paying_, &Option::saved);
}

const rewrite::RefusalKind* FixSearch::add(Option& option) {
  const auto known = together_.edits.find(option.file);
  if (known != together_.edits.end() && known->second.overlaps(option.edits))
    return &runRefusals["another-is-better"];
  if (choose_ && !choose_(option.candidate, diffOf(held_.edited({{option.file, option.edits}}))))
    return &runRefusals["declined"];
  Together next = together_;
  next.edits[option.file].addOnce(option.edits);
  next.tolerance.floats = std::max(next.tolerance.floats, option.tolerance.floats);
  next.tolerance.doubles = std::max(next.tolerance.doubles, option.tolerance.doubles);
  if (next.chosen.empty()) {
    next.held = std::move(option.held);
  } else {
    if (stopped_ || secondsLeft() < 0)
      return &runRefusals["not-tried"];
    auto held = held_.holdAgainstOriginal(held_.edited(next.edits), next.tolerance);
    if (!held || held->difference)
      return &runRefusals["another-is-better"];
    next.held = *std::move(held);
  }
  const double total = secondsOf(profile());
  next.saved = total - secondsOf(next.held.after);
  if (!next.chosen.empty() && (total - next.saved) * advise::leastGain > total - together_.saved)
    return &runRefusals["another-is-better"];
  next.chosen.push_back(option.candidate);
  together_ = std::move(next);
  return nullptr;
}

/// Step 4.
void FixSearch::combine() {
  for (Option& option : paying_)
    if (const rewrite::RefusalKind* const why = add(option))
      fix_.candidates.push_back(refused(option, *why, option.candidate.reason));
  fix_.proof = together_.held.proof;
  std::ranges::copy(together_.chosen, std::back_inserter(fix_.candidates));
  fix_.applied = together_.chosen;
  if (fix_.applied.empty())
    return;
  changed_ = held_.edited(together_.edits);
  describe();
}

std::string FixSearch::diffOf(const ChangedFiles& files) const {
  std::string diff;
  for (const auto& [file, text] : files)
    diff += rewrite::unifiedDiff(diffName(file), original(file), text);
  return diff;
}

/// Before and after, of the kernels that changed and those that came.
void FixSearch::describe() {
  const ProgramProfile &before = profile(), &after = together_.held.after;
  std::set<std::string> ids;
  for (const Candidate& applied : fix_.applied)
    ids.insert(applied.kernelId);
  const std::set<std::string> known = kernelIds(before);
  std::set<std::string> since = ids;
  for (const KernelProfile& kernel : after.kernels)
    if (!known.contains(kernel.id))
      since.insert(kernel.id);
  fix_.before = standingOf(before, ids);
  fix_.after = standingOf(after, since);
  fix_.build = buildCommand(options_.run, changed_);
  fix_.measurement.predictedSpeedup = secondsOf(before) / secondsOf(after);
  fix_.diff = diffOf(changed_);
}

const std::string& FixSearch::original(const std::string& file) const {
  return sources_.at(file)->text();
}

Expected<advise::Fix> FixSearch::search() {
  HEDDLE_CHECK(runOriginal());
  HEDDLE_TRY(const machine::Target device, machine::resolveTarget(options_.run.device));
  limits_ = device.limits;
  HEDDLE_TRY(sources_, readSources(options_.run.program, options_.run.useCache));
  HEDDLE_CHECK(checkColumn(sources_, options_.place));
  fix_.device = trials_.original().profile.device;
  findOptions();
  if (const auto looked = refuseDependent(); !looked && !stopped_)
    return tl::unexpected(looked.error());
  tryOptions();
  combine();
  const KernelProfile* slowest = nullptr;
  for (const KernelProfile& kernel : trials_.original().profile.kernels)
    if (kernel.timing && (slowest == nullptr || kernel.timing->seconds > slowest->timing->seconds))
      slowest = &kernel;
  fix_.setAside = trials_.setAside();
  if (slowest != nullptr)
    fix_.bound = profile::boundNames[std::size_t(slowest->timing->bound())];
  return std::move(fix_);
}

} // namespace heddle::driver
