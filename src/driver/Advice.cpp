// SPDX-License-Identifier: Apache-2.0
#include "driver/Advice.h"

#include "advise/Prediction.h"
#include "advise/Prices.h"
#include "driver/KeptAdvice.h"
#include "driver/Places.h"
#include "driver/PrefetchAdvice.h"
#include "driver/RunRefusals.h"
#include "driver/SortAdvice.h"
#include "gpu/Nvcc.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using advise::Candidate;
using rewrite::Rewrite;

/// A guess is only made where the rewritten file compiles.
bool compiles(const rewrite::Source& source, const rewrite::Proposal& proposal) {
  return source.withText(proposal.edits.apply(source.text())) != nullptr;
}

/// A rewrite of a place, legal or not, with its price.
Candidate consider(const Rewrite& rewrite, const Place& place, const rewrite::Source& source) {
  const auto proposals = rewrite::ask(rewrite, source, place.target);
  if (!proposals)
    return refusedOf(rewrite, place, proposals.error());
  Candidate candidate = candidateOf(rewrite, place);
  const advise::PricedBranch branch = advise::describeBranch(
      *place.kernel, place.loss.sum, proposals->front().wayLengths, place.loss.share);
  const advise::Price price = rewrite.price(*place.kernel, branch);
  candidate.form = price.form.empty() ? proposals->front().form : price.form;
  advise::predict(candidate, *place.kernel, price.speedup);
  const advise::Pays pays = advise::judge(candidate);
  candidate.reason = price.why;
  candidate.applies = pays == advise::Pays::Yes;
  if (candidate.predictedSpeedup > 1 && !compiles(source, proposals->front())) {
    candidate.id = runRefusals["does-not-build"].id;
    candidate.predictedSpeedup = 0;
    candidate.applies = candidate.fits = false; // no news for who only asks where lanes go
    return candidate;
  }
  if (!candidate.applies)
    candidate.id = pays == advise::Pays::TooClose ? runRefusals["too-close"].id
                                                  : runRefusals["does-not-pay"].id;
  return candidate;
}

bool isBetter(const Candidate& a, const Candidate& b) {
  return std::pair(a.applies, a.predictedSpeedup) > std::pair(b.applies, b.predictedSpeedup);
}

std::vector<fs::path> filesRead(const Sources& sources) {
  std::vector<fs::path> read;
  for (const auto& [file, source] : sources)
    std::ranges::move(source->filesRead(), std::back_inserter(read));
  return read;
}

Advice findAdvice(const profile::ProgramProfile& profile, const Sources& sources,
                  const machine::Device& device) {
  Advice advice;
  const Places places = findPlaces(profile, sources, device, {});
  for (const Place& place : places.all) {
    if (!place.target.branch || place.idiom > 0) // what an idiom gains is for a run to tell
      continue;
    std::vector<Candidate> all;
    for (const Rewrite* rewrite : rewrite::allRewrites())
      if (!rewrite->ofKernel)
        all.push_back(consider(*rewrite, place, *sources.at(place.file)));
    std::erase_if(all, [](const Candidate& each) { return !each.fits; });
    if (!all.empty())
      advice.push_back(*std::ranges::min_element(all, isBetter));
  }
  std::ranges::move(sortAdvice(profile, sources), std::back_inserter(advice));
  return advice;
}

/// Of rewrites, and of what else would let lanes work.
Advice adviceForLanes(const profile::ProgramProfile& profile, const machine::Device& device,
                      const frontend::ProgramSpec& program, bool useCache) {
  if (std::ranges::none_of(profile.kernels, losesEnough))
    return {};
  std::optional<KeptAdvice> kept; // what runs found comes before what models say
  for (const AdviceFrom from : {AdviceFrom::Runs, AdviceFrom::Models}) {
    if (!useCache || (from == AdviceFrom::Runs && !gpu::mayUseNvcc()))
      continue;
    auto opened = KeptAdvice::open(from, profile, program);
    if (!opened)
      continue;
    if (auto known = opened->find())
      return *std::move(known);
    kept = *std::move(opened);
  }
  const auto sources = readSources(program, useCache);
  if (!sources)
    return {};
  Advice advice = findAdvice(profile, *sources, device);
  if (kept)
    kept->store(advice, filesRead(*sources));
  return advice;
}

} // namespace

Advice adviceFor(const profile::ProgramProfile& profile, const machine::Device& device,
                 const frontend::ProgramSpec& program, bool useCache) {
  Advice advice = adviceForLanes(profile, device, program, useCache);
  std::ranges::move(prefetchAdvice(profile), std::back_inserter(advice));
  return advice;
}

void keepVerdicts(const advise::Fix& fix, const profile::ProgramProfile& profile,
                  const Sources& sources, const frontend::ProgramSpec& program) {
  std::map<std::tuple<std::string, std::string, int, int>, Candidate> best;
  for (const Candidate& each : fix.candidates) {
    const bool isSmall = rewrite::findRewrite(each.rewrite)->ofKernel && !each.applies;
    if (!each.fits || isSmall)
      continue;
    const auto [known, isNew] =
        best.try_emplace({each.kernelId, each.file, each.line, each.column}, each);
    if (!isNew && isBetter(each, known->second))
      known->second = each;
  }
  Advice advice;
  for (const auto& [place, candidate] : best) {
    advice.push_back(candidate);
    advice.back().tried = true;
  }
  std::vector<advise::Candidate> sorted; // equals stay in their order
  for (advise::Candidate& each : advice)
    sorted.insert(std::ranges::upper_bound(sorted, each, isBetter), std::move(each));
  advice = std::move(sorted);
  std::ranges::copy(fix.advice, std::back_inserter(advice));
  if (const auto kept = KeptAdvice::open(AdviceFrom::Runs, profile, program))
    kept->store(advice, filesRead(sources));
}

} // namespace heddle::driver
