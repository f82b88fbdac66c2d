// SPDX-License-Identifier: Apache-2.0
#include "driver/FixSearch.h"

#include "driver/BuildCommand.h"
#include "driver/Combine.h"
#include "driver/DependentKernels.h"
#include "driver/SortAdvice.h"
#include "driver/Standing.h"
#include "driver/TryOptions.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>

namespace heddle::driver {
namespace {

using advise::Candidate;
using profile::KernelProfile;
using profile::ProgramProfile;

/// Seconds for the candidates of a program that takes so long.
double budgetFor(double run) {
  return 10 * run + 20;
}

/// Step 2.
Expected<FoundOptions> legalOptions(const FixSubject& subject, const ProgramTrials::Report& report,
                                    const std::atomic<bool>& stopped) {
  FoundOptions found = findOptions(subject);
  if (subject.options.trust || std::ranges::none_of(found.options, &Option::needsIndependence))
    return found;
  report("whether threads are independent");
  const auto dependent = findDependentKernels(subject);
  if (!dependent && !stopped)
    return tl::unexpected(dependent.error());
  return dependent ? withoutDependent(std::move(found), *dependent) : std::move(found);
}

/// What bounds the slowest kernel.
std::string boundOf(const ProgramProfile& profile) {
  const KernelProfile* slowest = nullptr;
  for (const KernelProfile& kernel : profile.kernels)
    if (kernel.timing && (slowest == nullptr || kernel.timing->seconds > slowest->timing->seconds))
      slowest = &kernel;
  return slowest != nullptr ? profile::boundNames[std::size_t(slowest->timing->bound())] : "";
}

/// Before and after, of the kernels that changed and those that came.
void describeChange(const FixSubject& subject, const ProgramProfile& after,
                    const ChangedFiles& changed, advise::Fix& fix) {
  const ProgramProfile& before = subject.profile();
  std::set<std::string> ids;
  for (const Candidate& applied : fix.applied)
    ids.insert(applied.kernelId);
  const std::set<std::string> known = kernelIds(before);
  std::set<std::string> since = ids;
  for (const KernelProfile& kernel : after.kernels)
    if (!known.contains(kernel.id))
      since.insert(kernel.id);
  fix.before = standingOf(before, ids);
  fix.after = standingOf(after, since);
  fix.build = buildCommand(subject.options.run, changed);
  fix.measurement.predictedSpeedup = secondsOf(before) / secondsOf(after);
  fix.diff = diffOf(subject.sources, changed);
}

advise::Fix describe(const FixSubject& subject, const FoundOptions& found, const Tried& tried,
                     const Combined& combined, const ChangedFiles& changed) {
  advise::Fix fix{.device = subject.profile().device,
                  .setAside = subject.trials->setAside(),
                  .strays = subject.trials->strays(),
                  .places = found.places,
                  .cheap = found.cheap,
                  .applied = combined.together.chosen,
                  .proof = combined.together.held.proof,
                  .bound = boundOf(subject.profile())};
  if (subject.options.only.empty() && subject.options.place.line == 0)
    fix.advice = sortAdvice(subject.profile(), subject.sources);
  for (const auto* candidates :
       {&found.refusals, &tried.refusals, &combined.refusals, &combined.together.chosen})
    std::ranges::copy(*candidates, std::back_inserter(fix.candidates));
  if (!fix.applied.empty())
    describeChange(subject, combined.together.held.after, changed, fix);
  return fix;
}

} // namespace

Expected<FixResult> searchFixes(const FixOptions& options, const std::filesystem::path& folder,
                                const ProgramTrials::Report& report, const Choose& choose,
                                const std::atomic<bool>& stopped) {
  const auto began = std::chrono::steady_clock::now();
  // Step 1
  HEDDLE_TRY(FixSubject subject, runOriginal(options, folder, report));
  // Step 2
  HEDDLE_TRY(FoundOptions found, legalOptions(subject, report, stopped));
  // Step 3
  const SearchEnd end{began, options.budget.value_or(budgetFor(subject.trials->seconds())),
                      stopped};
  Tried tried = tryOptions(subject, std::move(found.options), end, report);
  // Step 4
  const Combined combined = combine(subject, std::move(tried.paying), choose, end);
  ChangedFiles changed = edited(subject.sources, combined.together.edits);
  advise::Fix fix = describe(subject, found, tried, combined, changed);
  if (fix.applied.size() > 1)
    tried.forms.push_back({fix.applied.front(), changed});
  return FixResult{std::move(fix), std::move(changed), std::move(tried.forms), subject.profile(),
                   std::move(subject.sources)};
}

} // namespace heddle::driver
