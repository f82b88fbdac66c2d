// SPDX-License-Identifier: Apache-2.0
#include "driver/Advice.h"

#include "advise/Prices.h"
#include "driver/KeptAdvice.h"
#include "driver/Places.h"
#include "driver/RunRefusals.h"
#include "machine/DeviceCatalog.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

namespace heddle::driver {
namespace {

using advise::Candidate;
using rewrite::Rewrite;

constexpr double leastPredicted = 1.02;

/// A rewrite of a place, legal or not, with its price.
Candidate consider(const Rewrite& rewrite, const Place& place, const rewrite::Source& source) {
  Candidate candidate{.rewrite = std::string(rewrite.name),
                      .kernel = place.kernel->kernel,
                      .file = place.file,
                      .line = place.line,
                      .column = place.column};
  const auto proposals = rewrite::ask(rewrite, source, place.target);
  if (!proposals) {
    candidate.id = proposals.error().kind->id;
    candidate.fits = proposals.error().kind->fit == rewrite::Fit::Meant;
    candidate.reason = proposals.error().reason;
    return candidate;
  }
  const advise::PricedBranch branch = advise::describeBranch(
      *place.kernel, place.loss.sum, proposals->front().wayLengths, place.loss.share);
  const advise::Price price = rewrite.price(*place.kernel, branch);
  candidate.form = price.form.empty() ? proposals->front().form : price.form;
  candidate.predictedSpeedup = price.speedup;
  candidate.uncertainty = (price.high - price.low) / 2 / price.speedup;
  candidate.reason = price.why;
  candidate.applies = price.speedup >= leastPredicted;
  if (!candidate.applies)
    candidate.id = runRefusals["does-not-pay"].id;
  return candidate;
}

bool isBetter(const Candidate& a, const Candidate& b) {
  return std::pair(a.applies, a.predictedSpeedup) > std::pair(b.applies, b.predictedSpeedup);
}

Advice findAdvice(const profile::ProgramProfile& profile, const Sources& sources,
                  const machine::SmLimits& limits) {
  Advice advice;
  for (const Place& place : findPlaces(profile, sources, limits, 0)) {
    if (!place.target.branch)
      continue;
    std::vector<Candidate> all;
    for (const Rewrite* rewrite : rewrite::allRewrites())
      if (!rewrite->ofKernel)
        all.push_back(consider(*rewrite, place, *sources.at(place.file)));
    std::erase_if(all, [](const Candidate& each) { return !each.fits; });
    if (!all.empty())
      advice.push_back(*std::ranges::min_element(all, isBetter));
  }
  return advice;
}

} // namespace

Advice adviceFor(const profile::ProgramProfile& profile, const std::string& device,
                 const std::vector<std::string>& files, const frontend::CompilerFlags& flags,
                 bool useCache) {
  if (std::ranges::none_of(profile.kernels, losesEnough))
    return {};
  std::optional<KeptAdvice> kept;
  if (useCache)
    if (auto opened = KeptAdvice::open(profile, files, flags))
      kept = *std::move(opened);
  if (auto known = kept ? kept->find() : std::nullopt)
    return *std::move(known);
  const auto sources = readSources(files, flags, useCache);
  const auto target = machine::resolveTarget(device);
  if (!sources || !target)
    return {};
  Advice advice = findAdvice(profile, *sources, target->limits);
  std::vector<std::filesystem::path> read;
  for (const auto& [file, source] : *sources)
    std::ranges::move(source->filesRead(), std::back_inserter(read));
  if (kept)
    kept->store(advice, read);
  return advice;
}

} // namespace heddle::driver
