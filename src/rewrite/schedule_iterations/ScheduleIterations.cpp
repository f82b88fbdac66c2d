// SPDX-License-Identifier: Apache-2.0
#include "rewrite/schedule_iterations/ScheduleIterations.h"

#include "model/BestWord.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/code/FormNumbers.h"
#include "rewrite/schedule_iterations/Price.h"
#include "rewrite/schedule_iterations/Refusals.h"
#include "rewrite/ways/LoopCall.h"
#include "rewrite/ways/WayCosts.h"
#include "rewrite/ways/WayLoop.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

namespace heddle::rewrite::schedule_iterations {
namespace {

/// From this ratio of path lengths on, a policy that knows them is tried, too: a guess.
constexpr double unequal = 1.5;
constexpr double mostCost = 16; ///< small numbers keep their common multiple small
constexpr int longestRun = 4;   ///< of a word: each letter is a copy of its path

/// "cost_aging<1, 1, 5, 10>": lengths in units of the shortest.
std::optional<std::string> costPolicy(const std::vector<double>& lengths) {
  const double shortest = std::max(1.0, *std::ranges::min_element(lengths));
  const double longest = *std::ranges::max_element(lengths);
  if (longest < unequal * shortest)
    return std::nullopt;
  const double unit = std::max(shortest, longest / mostCost);
  std::string text;
  for (const double length : lengths)
    text +=
        fmt::format("{}{}", text.empty() ? "" : ", ", std::max(1, int(std::lround(length / unit))));
  return "cost_aging<" + text + ">";
}

bool callsItself(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* body = nullptr;
  if (!function.hasBody(body))
    return false;
  CallFollower callees;
  callees.TraverseStmt(body->getBody());
  return callees.followed().contains(body);
}

std::string wordPolicy(const std::vector<int>& letters) {
  return fmt::format("word<{}>", fmt::join(letters, ", "));
}

/// The ways in turn; of two also the word that needs the fewest turns for their shares, and the one
/// with a letter less, which loses less where loops are short or ways unequal.
std::vector<std::string> wordPolicies(std::size_t ways, const std::vector<double>& shares) {
  std::vector<int> letters(ways);
  std::iota(letters.begin(), letters.end(), 0);
  std::vector<std::string> policies = {wordPolicy(letters)};
  if (ways != 2 || shares.size() != 2 || shares[0] <= 0 || shares[1] <= 0)
    return policies;
  const auto best = model::findBestWord({.p = shares[0], .segments = 1, .longestRun = longestRun},
                                        model::Measure::Exact);
  const int common = shares[0] < shares[1] ? 1 : 0;
  for (int length = 3; best && length <= best->word.length(); ++length) {
    letters.insert(letters.begin() + common, common);
    if (length + 1 >= best->word.length())
      policies.push_back(wordPolicy(letters));
  }
  return policies;
}

/// Whether that is the name of a policy for so many ways.
bool isPolicy(std::string_view form, std::size_t ways) {
  const auto isWay = [&](int letter) { return letter < int(ways); };
  if (const auto word = numbersOf(form, "word<", ">"))
    return std::ranges::all_of(*word, isWay) &&
           std::set(word->begin(), word->end()).size() == ways && word->size() <= ways * longestRun;
  const auto costs = numbersOf(form, "cost_aging<", ">");
  return costs && costs->size() == ways && std::ranges::find(*costs, 0) == costs->end();
}

constexpr std::string_view forms[] = {"aging", "cost_aging", "word"};

} // namespace

Legal<std::vector<Proposal>> proposeScheduledLoops(const Source& source, const Target& target) {
  if (callsItself(*target.branch->function))
    return refuse(refusals["recursive"], "{} calls itself",
                  target.branch->function->getNameAsString());
  auto cut = cutLoop(source, *target.branch);
  if (!cut)
    return tl::unexpected(cut.error());
  std::vector<std::string> policies = {"aging"};
  const std::vector<double> lengths =
      wayLengths(source, *target.branch->statement, cut->armRanges, target.measured.loops);
  if (const auto costs = costPolicy(lengths))
    policies.push_back(*costs);
  std::ranges::copy(wordPolicies(cut->ways.size(), target.measured.shares),
                    std::back_inserter(policies));
  if (isPolicy(target.form, cut->ways.size()))
    policies = {target.form};
  std::vector<Proposal> proposals;
  for (const std::string& policy : policies) {
    const std::string call =
        fmt::format("heddle::scheduled_loop<heddle::{}, {}>", policy, cut->ways.size());
    Edits edits = source.include("heddle/schedule.cuh");
    edits.add(cut->pragmas);
    edits.replace(cut->range, loopCall(source, *cut, call, "", "[&] {"));
    proposals.push_back({policy, std::move(edits), lengths});
  }
  return proposals;
}

const Rewrite room{
    .name = "schedule-iterations",
    .summary = "run one path of a loop's branch per turn, for all lanes that want it",
    .forms = forms,
    .formsAreAlike = true,
    .needsIndependence = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeScheduledLoops,
    .price = priceScheduling,
};

} // namespace heddle::rewrite::schedule_iterations
