// SPDX-License-Identifier: Apache-2.0
#include "driver/PayoffCommand.h"

#include "model/Payoff.h"
#include "report/PayoffReport.h"
#include "support/Parse.h"

namespace heddle::driver {
namespace {

using namespace heddle::model;

/// "0.08" is the turn time of every policy; "aging=0.09" that of one; both may stand in one list.
Expected<void> readTurnTimes(const std::string& text, PayoffRequest& request) {
  for (const std::string_view part : splitText(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      HEDDLE_TRY(request.turnTime, parseNumber(part));
      continue;
    }
    HEDDLE_TRY(const Policy policy, parsePolicy(part.substr(0, equals)));
    HEDDLE_TRY(request.turnTimes[policy], parseNumber(part.substr(equals + 1)));
  }
  return {};
}

} // namespace

Expected<std::string> runPayoff(const PayoffOptions& options, const Output& output) {
  if (options.branch.costs.empty())
    return fail(ErrorKind::BadInput, "no path times given; use --path 2.5,2.5");
  HEDDLE_TRY(Branching branching, makeBranching(options.branch));
  PayoffRequest request{.branching = std::move(branching), .loopTime = options.loopTime};
  if (auto read = readTurnTimes(options.turn, request); !read)
    return tl::unexpected(within("--turn", read.error()));
  if (!options.word.empty()) {
    HEDDLE_TRY(request.word, Word::parse(options.word, request.branching));
  }
  request.iterations = options.iterations;
  request.warps = options.warps;
  request.seed = options.seed;

  std::optional<Payoff> payoff;
  {
    Progress progress("simulating");
    HEDDLE_TRY(payoff, computePayoff(request, progress));
  }
  return output.json ? report::payoffJson(request, *payoff)
                     : report::payoffText(request, *payoff, output.style);
}

} // namespace heddle::driver
