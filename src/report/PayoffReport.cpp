// SPDX-License-Identifier: Apache-2.0
#include "report/PayoffReport.h"

#include "report/Format.h"
#include "report/Json.h"
#include "report/Table.h"

#include <algorithm>

namespace heddle::report {
namespace {

using namespace heddle::model;

std::string policyLabel(const PolicyPayoff& item) {
  std::string label(policyName(item.policy));
  return item.word ? label + " " + item.word->text() : label;
}

std::string thresholdText(const PolicyPayoff& item) {
  return item.threshold ? fmt::format("{:.2f}", *item.threshold) : "never";
}

/// The one line that says what to do and which numbers decided.
std::string verdictLine(const Payoff& payoff, const TextStyle& style) {
  if (const PolicyPayoff* best = payoff.best())
    return fmt::format(
        "  {}: {} gives {}; its paths must take {} times the loop overhead, they take "
        "{:.2f}\n",
        style.good("apply"), policyLabel(*best), factor(best->speedup), thresholdText(*best),
        payoff.ratio);
  const auto fastest = std::ranges::max_element(payoff.policies, {}, &PolicyPayoff::speedup);
  return fmt::format("  {}: the best policy, {}, gives {}; its paths must take {} times the loop "
                     "overhead, they take {:.2f}\n",
                     style.bad("refuse"), policyLabel(*fastest), factor(fastest->speedup),
                     thresholdText(*fastest), payoff.ratio);
}

} // namespace

std::string payoffText(const PayoffRequest& request, const Payoff& payoff, const TextStyle& style) {
  std::string text = fmt::format("native loop: {:.4f} per iteration, {:.4f} paths run\n\n",
                                 payoff.nativeTime, payoff.nativeSteps);
  Table table("lrrrrrl");
  table.addRow({style.bold("policy"), style.bold("steps"), style.bold("turn"), style.bold("time"),
                style.bold("speedup"), style.bold("pays above t/tL"), ""});
  for (const PolicyPayoff& item : payoff.policies)
    table.addRow({policyLabel(item), fmt::format("{:.4f}", item.stepsPerIteration),
                  fmt::format("{:.4g}", item.turnTime), fmt::format("{:.4f}", item.time),
                  factor(item.speedup), thresholdText(item),
                  item.pays ? style.good("pays") : style.faint("does not pay")});
  text += table.print();
  text += fmt::format("\n  path time over loop overhead t/tL = {:.2f}, {} iterations, {} warps, "
                      "seed {}\n",
                      payoff.ratio, request.iterations, request.warps, request.seed);
  return text + verdictLine(payoff, style);
}

std::string payoffJson(const PayoffRequest& request, const Payoff& payoff) {
  Json json = startJson("schedule-payoff");
  json["probabilities"] = request.branching.probabilities();
  json["pathTimes"] = request.branching.costs();
  json["loopTime"] = request.loopTime;
  json["iterations"] = request.iterations;
  json["warps"] = request.warps;
  json["seed"] = request.seed;
  json["native"] = {{"time", payoff.nativeTime}, {"steps", payoff.nativeSteps}};
  json["ratio"] = payoff.ratio;
  json["policies"] = Json::array();
  for (const PolicyPayoff& item : payoff.policies)
    json["policies"].push_back({{"policy", policyName(item.policy)},
                                {"word", item.word ? Json(item.word->text()) : Json(nullptr)},
                                {"turnTime", item.turnTime},
                                {"steps", item.stepsPerIteration},
                                {"stepsError", item.stepsError},
                                {"stepsOfPath", item.stepsOfPath},
                                {"time", item.time},
                                {"speedup", item.speedup},
                                {"threshold", orNull(item.threshold)},
                                {"pays", item.pays}});
  const PolicyPayoff* best = payoff.best();
  json["verdict"] = best != nullptr ? "apply" : "refuse";
  json["best"] = best != nullptr ? Json(policyName(best->policy)) : Json(nullptr);
  return printJson(json);
}

} // namespace heddle::report
