// SPDX-License-Identifier: Apache-2.0
#include "driver/TryOptions.h"

#include "driver/RewrittenFiles.h"
#include "driver/RunRefusals.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace heddle::driver {
namespace {

using advise::Candidate;

constexpr unsigned mostAtOnce = 8; ///< trials
constexpr double forTrials = 0.75; ///< of the seconds; the rest is to put together what pays

/// The largest first; equals stay in their order.
template <typename Item> void sortBy(std::vector<Item>& items, double Item::* key) {
  std::vector<Item> sorted;
  for (Item& each : items)
    sorted.insert(std::ranges::upper_bound(sorted, each.*key, std::ranges::greater{}, key),
                  std::move(each));
  items = std::move(sorted);
}

/// The trials of one search: what its threads share.
class Trials {
public:
  Trials(const FixSubject& subject, const std::vector<Option>& options, double budget,
         const SearchEnd& end, const ProgramTrials::Report& report)
      : subject_(subject), options_(options), budget_(budget), end_(end), report_(report),
        attempts_(options.size()) {}

  /// Nothing for those that there was no time for.
  std::vector<std::optional<Attempt>> all() && {
    const std::size_t cores = std::clamp(std::thread::hardware_concurrency(), 1u, mostAtOnce);
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(cores, options_.size()); ++i)
      others.emplace_back([this] { work(); });
    work();
    others.clear(); // waits for them
    return std::move(attempts_);
  }

private:
  void work() {
    for (std::size_t i = next_++; i < options_.size() && mayBegin(i); i = next_++) {
      Attempt attempt = tryOption(subject_, options_[i], unfused_);
      const std::scoped_lock lock(mutex_);
      if (!attempt.refusal)
        best_ = std::max(best_, attempt.option.candidate.predictedSpeedup);
      if (!end_.stopped || !attempt.refusal) // a stop ends its run, too
        attempts_[i] = std::move(attempt);
    }
  }

  bool mayBegin(std::size_t number) {
    const std::scoped_lock lock(mutex_);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
    if (end_.stopped || (number > 0 && spent.count() > budget_))
      return false;
    const Candidate& candidate = options_[number].candidate;
    report_(fmt::format("{} of {}: {} {} in line {}{}", number + 1, options_.size(),
                        candidate.rewrite, candidate.form, candidate.line,
                        best_ > 0 ? fmt::format("; best so far {:.2f}x", best_) : ""));
    return true;
  }

  const FixSubject& subject_;
  const std::vector<Option>& options_;
  double budget_;
  const SearchEnd& end_;
  const ProgramTrials::Report& report_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next_ = 0;
  UnfusedOriginal unfused_;
  std::mutex mutex_; ///< guards what is below
  double best_ = 0;
  std::vector<std::optional<Attempt>> attempts_;
};

/// Right, though it may not pay: a GPU can tell.
bool isProven(const Attempt& attempt) {
  return !attempt.refusal || attempt.refusal->id == runRefusals["too-close"].id;
}

/// Of one that there was no time for, behind `before` others.
std::string whyNotTried(const SearchEnd& end, double budget, std::size_t before, std::size_t all) {
  if (end.stopped)
    return "the search was stopped";
  return fmt::format("{:.0f} s were spent on others; --budget {:.0f} would do for all", budget,
                     budget * double(all) / double(std::max<std::size_t>(before, 1)));
}

} // namespace

Tried tryOptions(const FixSubject& subject, std::vector<Option> options, const SearchEnd& end,
                 const ProgramTrials::Report& report) {
  sortBy(options, &Option::promise);
  const double budget = end.secondsLeft() * forTrials;
  std::vector<std::optional<Attempt>> attempts =
      Trials(subject, options, budget, end, report).all();
  Tried tried;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::optional<Attempt>& attempt = attempts[i];
    if (!attempt) {
      tried.refusals.push_back(refused(options[i], runRefusals["not-tried"],
                                       whyNotTried(end, budget, i, options.size())));
      continue;
    }
    const Option& option = attempt->option;
    if (isProven(*attempt))
      tried.forms.push_back(
          {option.candidate, edited(subject.sources, {{option.file, option.edits}})});
    if (attempt->refusal)
      tried.refusals.push_back(*std::move(attempt->refusal));
    else
      tried.paying.push_back(*std::move(attempt));
  }
  sortBy(tried.paying, &Attempt::saved);
  return tried;
}

} // namespace heddle::driver
