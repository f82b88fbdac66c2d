// SPDX-License-Identifier: Apache-2.0
#include "driver/FindOptions.h"

#include "rewrite/code/Communication.h"

#include <algorithm>
#include <optional>

namespace heddle::driver {
namespace {

using advise::Candidate;
using rewrite::Rewrite;

/// What the model says of the best form; kernels as a whole, of which no model says anything, come
/// last.
double guessOf(const Rewrite& rewrite, const Place& place,
               const std::vector<rewrite::Proposal>& proposals) {
  if (!place.target.branch)
    return rewrite.price == advise::priceOfAll ? 0 : rewrite.price(*place.kernel, {}).speedup;
  const advise::PricedBranch branch = advise::describeBranch(
      *place.kernel, place.loss.sum, proposals.front().wayLengths, place.loss.share);
  return rewrite.price(*place.kernel, branch).speedup;
}

/// A further form of a rewrite gains little over the first one: other rewrites are tried before.
double promiseOf(double guess, int formsBefore) {
  return 1 + (guess - 1) / (1 + formsBefore);
}

/// What a rewrite says of a place: its forms, or why not.
struct Reply {
  std::vector<Option> options{};
  std::optional<Candidate> refusal{};

  /// Whether the rewrite is for code like that, legal or not.
  bool fits() const { return !refusal || refusal->fits; }
};

Reply ask(const Rewrite& rewrite, const Place& place, const FixSubject& subject) {
  const rewrite::Source& source = *subject.sources.at(place.file);
  const rewrite::Target& target = place.target;
  auto proposals = rewrite::ask(rewrite, source, target);
  if (!proposals)
    return {.refusal = refusedOf(rewrite, place, proposals.error())};
  const bool sumsFloats =
      target.kernel != nullptr && rewrite::sumsFloatsAtomically(source, *target.kernel->getBody());
  const profile::Tolerance tolerance = toleranceOf(sumsFloats, subject.options.tolerance);
  const double guess = guessOf(rewrite, place, *proposals);
  Reply reply;
  Candidate candidate = candidateOf(rewrite, place);
  int forms = 0;
  for (rewrite::Proposal& proposal : *proposals) {
    candidate.form = proposal.form;
    reply.options.push_back({candidate, place.file, std::move(proposal.edits), tolerance,
                             rewrite.needsIndependence && !proposal.keepsOrder, proposal.reorders,
                             promiseOf(guess, forms++)});
  }
  return reply;
}

/// What came of asking all rewrites for a place.
struct Asked {
  bool fits = false;  ///< one of them is for code like that
  bool isNew = false; ///< and says something that was not said for another place
  std::string asElsewhere{};
};

/// Of a loop and of the branch in it, a rewrite may propose the same.
void addNew(std::vector<Option> options, std::vector<Option>& all, Asked& asked) {
  for (Option& option : options) {
    const auto known = std::ranges::find_if(all, [&](const Option& each) {
      return each.file == option.file && each.edits == option.edits;
    });
    if (known == all.end()) {
      all.push_back(std::move(option));
      asked.isNew = true;
    } else {
      asked.asElsewhere = fmt::format("what {} proposes for line {} changes this place, too",
                                      known->candidate.rewrite, known->candidate.line);
    }
  }
}

Asked askAll(const Place& place, const FixSubject& subject, FoundOptions& found) {
  Asked asked;
  for (const Rewrite* rewrite : rewrite::allRewrites()) {
    const std::string& only = subject.options.only;
    if (!place.isFor(*rewrite) || (!only.empty() && only != rewrite->name))
      continue;
    Reply reply = ask(*rewrite, place, subject);
    asked.fits = asked.fits || reply.fits();
    asked.isNew = asked.isNew || (reply.refusal && reply.fits());
    if (reply.refusal)
      found.refusals.push_back(*std::move(reply.refusal));
    addNew(std::move(reply.options), found.options, asked);
  }
  return asked;
}

std::string answerOf(const Asked& asked, const Place& place) {
  if (!asked.fits)
    return whyNothingFits(place);
  return asked.isNew ? "" : asked.asElsewhere;
}

} // namespace

Candidate refused(const Option& option, const rewrite::RefusalKind& kind, std::string reason) {
  Candidate candidate = option.candidate;
  candidate.applies = false;
  candidate.id = kind.id;
  candidate.reason = std::move(reason);
  return candidate;
}

FoundOptions findOptions(const FixSubject& subject) {
  const FixOptions& options = subject.options;
  Places places =
      findPlaces(subject.profile(), subject.sources, options.run.device.gpu, options.place);
  FoundOptions found{.places = std::move(places.unanswered), .cheap = places.cheap};
  for (const Place& place : places.all) {
    const Asked asked = askAll(place, subject, found);
    if (!place.target.branch)
      continue;
    found.places.push_back({place.kernel->kernel, place.kernel->id, place.file, place.line,
                            place.column, std::max(place.loss.share, place.idiom),
                            answerOf(asked, place)});
  }
  return found;
}

} // namespace heddle::driver
