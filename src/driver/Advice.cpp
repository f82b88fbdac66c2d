// SPDX-License-Identifier: Apache-2.0
#include "driver/Advice.h"

#include "advise/Prices.h"
#include "driver/Places.h"

#include <algorithm>

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
  const auto proposals = rewrite.propose(source, place.target);
  if (!proposals) {
    candidate.id = proposals.error().id;
    candidate.reason = proposals.error().reason;
    return candidate;
  }
  const advise::PricedBranch branch = advise::describeBranch(
      *place.kernel, place.loss.sum, proposals->front().wayLengths, place.loss.share);
  const advise::Price price = advise::priceOf(rewrite.name, *place.kernel, branch);
  candidate.form = price.form.empty() ? proposals->front().form : price.form;
  candidate.predictedSpeedup = price.speedup;
  candidate.uncertainty = (price.high - price.low) / 2 / price.speedup;
  candidate.reason = price.why;
  candidate.applies = price.speedup >= leastPredicted;
  if (!candidate.applies)
    candidate.id = "does-not-pay";
  return candidate;
}

bool isBetter(const Candidate& a, const Candidate& b) {
  return std::pair(a.applies, a.predictedSpeedup) > std::pair(b.applies, b.predictedSpeedup);
}

} // namespace

std::vector<Candidate> adviceFor(const profile::ProgramProfile& profile,
                                 const std::vector<std::string>& files,
                                 const frontend::CompilerFlags& flags, bool useCache) {
  if (std::ranges::none_of(profile.kernels, losesEnough))
    return {};
  const auto sources = readSources(files, flags, useCache);
  if (!sources)
    return {};
  std::vector<Candidate> advice;
  for (const Place& place : findPlaces(profile, *sources, 0)) {
    if (!place.target.branch)
      continue;
    std::vector<Candidate> all;
    for (const Rewrite& rewrite : rewrite::allRewrites())
      if (!rewrite.ofKernel)
        all.push_back(consider(rewrite, place, *sources->at(place.file)));
    std::erase_if(all, [](const Candidate& each) { return !advise::fits(each); });
    if (!all.empty())
      advice.push_back(*std::ranges::min_element(all, isBetter));
  }
  return advice;
}

} // namespace heddle::driver
