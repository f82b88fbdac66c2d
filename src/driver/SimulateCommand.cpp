// SPDX-License-Identifier: Apache-2.0
#include "driver/SimulateCommand.h"

#include "model/Simulation.h"
#include "report/SimulationReport.h"
#include "support/Files.h"

#include <algorithm>

namespace heddle::driver {
namespace {

using namespace heddle::model;

constexpr int headroomMostWarps = 50; // a searched warp costs as much as hundreds of simulated ones

Expected<SimulationRequest> makeRequest(const SimulateOptions& options) {
  HEDDLE_TRY(Branching branching, makeBranching(options.branch));
  SimulationRequest request{.branching = std::move(branching)};
  HEDDLE_TRY(request.policy, parsePolicy(options.policy));
  if (!options.word.empty()) {
    HEDDLE_TRY(request.word, Word::parse(options.word, request.branching));
  }
  request.iterations = options.iterations;
  request.warps = options.warps;
  request.seed = options.seed;
  request.skipEmpty = options.skipEmpty;
  request.ties = options.ties;
  HEDDLE_CHECK(validateSimulation(request));
  return request;
}

} // namespace

Expected<Branching> makeBranching(const BranchOptions& options) {
  if (options.p && !options.ways.empty())
    return fail(ErrorKind::BadInput, "--p and --ways both given; --p is short for --ways p,1-p");
  if (!options.p && options.ways.empty())
    return fail(ErrorKind::BadInput, "no probability given; use --p 0.1, or --ways 0.2,0.3,0.5");
  if (!options.p)
    return Branching::make(options.ways, options.costs);
  HEDDLE_TRY(const Branching twoWay, Branching::twoWay(*options.p));
  return Branching::make(twoWay.probabilities(), options.costs);
}

Expected<std::string> runSimulate(const SimulateOptions& options, const Output& output) {
  HEDDLE_TRY(SimulationRequest request, makeRequest(options));
  HeadroomRequest search{request.branching, options.iterations,
                         std::min(options.warps, headroomMostWarps), options.seed, options.beam};
  if (options.headroom)
    HEDDLE_CHECK(validateHeadroom(search));

  report::SimulationFindings findings{std::move(request), {}, std::nullopt};
  {
    Progress progress("simulating");
    progress.expect(expectedWork(findings.request));
    findings.result = simulate(findings.request, progress);
  }
  if (options.headroom) {
    Progress progress("searching the best schedule");
    progress.expect(std::uint64_t(search.warps));
    findings.headroom = findHeadroom(search, progress);
  }
  if (!options.svgFile.empty())
    HEDDLE_CHECK(writeFile(options.svgFile, report::simulationSvg(findings)));
  return output.json ? report::simulationJson(findings)
                     : report::simulationText(findings, output.style);
}

} // namespace heddle::driver
