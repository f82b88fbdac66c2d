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

/// Of a loop and of the branch in it, a rewrite may propose the same.
void addNew(std::vector<Option> options, std::vector<Option>& all) {
  for (Option& option : options)
    if (std::ranges::none_of(all, [&](const Option& each) {
          return each.file == option.file && each.edits == option.edits;
        }))
      all.push_back(std::move(option));
}

/// Asks all rewrites; whether one of them is for code like that.
bool askAll(const Place& place, const FixSubject& subject, FoundOptions& found) {
  bool anyFits = false;
  for (const Rewrite* rewrite : rewrite::allRewrites()) {
    const std::string& only = subject.options.only;
    if (!place.isFor(*rewrite) || (!only.empty() && only != rewrite->name))
      continue;
    Reply reply = ask(*rewrite, place, subject);
    anyFits = anyFits || reply.fits();
    if (reply.refusal)
      found.refusals.push_back(*std::move(reply.refusal));
    addNew(std::move(reply.options), found.options);
  }
  return anyFits;
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
    const bool anyFits = askAll(place, subject, found);
    if (!place.target.branch)
      continue;
    found.places.push_back({place.kernel->kernel, place.kernel->id, place.file, place.line,
                            place.column, std::max(place.loss.share, place.idiom),
                            anyFits ? "" : whyNothingFits(place)});
  }
  return found;
}

} // namespace heddle::driver
