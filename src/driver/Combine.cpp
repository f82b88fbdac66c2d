// SPDX-License-Identifier: Apache-2.0
#include "driver/Combine.h"

#include "advise/Prediction.h"
#include "driver/RunRefusals.h"
#include "driver/Standing.h"

#include <algorithm>

namespace heddle::driver {
namespace {

/// Why one is not put together with the others.
using Left = tl::unexpected<const rewrite::RefusalKind*>;
using Next = tl::expected<Together, const rewrite::RefusalKind*>;

/// The changes of one more, not yet run together.
Together joined(Together together, const Option& option) {
  together.edits[option.file].addOnce(option.edits);
  together.tolerance.floats = std::max(together.tolerance.floats, option.tolerance.floats);
  together.tolerance.doubles = std::max(together.tolerance.doubles, option.tolerance.doubles);
  together.chosen.push_back(option.candidate);
  return together;
}

bool overlaps(const Together& together, const Option& option) {
  const auto known = together.edits.find(option.file);
  return known != together.edits.end() && known->second.overlaps(option.edits);
}

Next add(const FixSubject& subject, const Together& together, Attempt attempt, const Choose& choose,
         const SearchEnd& end) {
  const Option& option = attempt.option;
  if (overlaps(together, option))
    return Left(&runRefusals["another-is-better"]);
  if (choose &&
      !choose(option.candidate,
              diffOf(subject.sources, edited(subject.sources, {{option.file, option.edits}}))))
    return Left(&runRefusals["declined"]);
  const bool isFirst = together.chosen.empty();
  Together next = joined(together, option);
  if (isFirst) {
    next.held = std::move(attempt.held);
  } else {
    if (end.stopped || end.secondsLeft() < 0)
      return Left(&runRefusals["not-tried"]);
    auto held = holdAgainstOriginal(subject, edited(subject.sources, next.edits), next.tolerance);
    if (!held || held->difference)
      return Left(&runRefusals["another-is-better"]);
    next.held = *std::move(held);
  }
  const double total = secondsOf(subject.profile());
  next.saved = total - secondsOf(next.held.after);
  if (!isFirst && (total - next.saved) * advise::leastGain > total - together.saved)
    return Left(&runRefusals["another-is-better"]);
  return next;
}

} // namespace

Combined combine(const FixSubject& subject, std::vector<Attempt> paying, const Choose& choose,
                 const SearchEnd& end) {
  Combined combined;
  for (Attempt& attempt : paying) {
    const Option option = attempt.option;
    Next next = add(subject, combined.together, std::move(attempt), choose, end);
    if (next)
      combined.together = *std::move(next);
    else
      combined.refusals.push_back(refused(option, *next.error(), option.candidate.reason));
  }
  return combined;
}

} // namespace heddle::driver
