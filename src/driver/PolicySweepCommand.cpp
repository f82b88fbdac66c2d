// SPDX-License-Identifier: Apache-2.0
#include "driver/PolicySweepCommand.h"

#include "model/BestWord.h"
#include "support/Files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace heddle::driver {
namespace {

using namespace heddle::model;
using report::Sweep;
using report::SweepPoint;

/// By symmetry the other half, p from 0.5 to 1, is the mirror image.
constexpr double sweptP[] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1,  0.12,
                             0.15, 0.18, 0.2,  0.25, 0.3,  0.35, 0.4,  0.45, 0.5};
constexpr int mostWarpsPerPoint = 20;
constexpr int longestWithHeadroom = 100;

/// What to run at one p; cost-aging is aging where the costs are equal.
Expected<std::vector<SimulationRequest>> requestsAt(double p, int iterations,
                                                    const PolicySweepOptions& options) {
  HEDDLE_TRY(const Branching branching, Branching::twoWay(p));
  std::vector<SimulationRequest> requests;
  for (const PolicyInfo& info : allPolicies()) {
    if (info.policy == Policy::CostAging)
      continue;
    SimulationRequest request{.branching = branching, .policy = info.policy};
    if (info.policy == Policy::Fixed) {
      HEDDLE_TRY(BestWord best, findBestWord({.p = p}, Measure::Exact));
      request.word = std::move(best.word);
    }
    request.iterations = iterations;
    request.warps = options.warps;
    request.seed = options.seed;
    HEDDLE_CHECK(validateSimulation(request));
    requests.push_back(std::move(request));
  }
  return requests;
}

Expected<SweepPoint> runPoint(double p, int iterations, const PolicySweepOptions& options,
                              Progress& progress) {
  HEDDLE_TRY(const std::vector<SimulationRequest> requests, requestsAt(p, iterations, options));
  SweepPoint point;
  point.p = p;
  for (const SimulationRequest& request : requests)
    point.runs.push_back({request.policy, request.word, simulate(request, progress)});
  if (iterations <= longestWithHeadroom) {
    const HeadroomRequest search{requests.front().branching, iterations,
                                 std::min(options.warps, mostWarpsPerPoint), options.seed,
                                 options.beam};
    HEDDLE_CHECK(validateHeadroom(search));
    point.headroom = findHeadroom(search, progress);
  }
  return point;
}

Expected<void> writePictures(const std::string& folder, const report::SweepFindings& findings) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::Io, "cannot create the folder {}: {}", folder, error.message());
  for (const report::Picture& picture : report::sweepPictures(findings))
    HEDDLE_CHECK(writeFile(std::filesystem::path(folder) / picture.fileName, picture.svg));
  return {};
}

} // namespace

Expected<report::SweepFindings> computePolicySweep(const PolicySweepOptions& options,
                                                   Progress& progress) {
  const std::vector<int> lengths =
      options.iterations ? std::vector<int>{*options.iterations} : std::vector<int>{100, 1000};
  for (const int iterations : lengths)
    progress.expect(std::uint64_t(iterations) * std::uint64_t(options.warps) * std::size(sweptP) *
                    (allPolicies().size() - 1));
  report::SweepFindings findings{options.warps, options.seed, {}};
  for (const int iterations : lengths) {
    Sweep sweep{iterations, {}};
    for (const double p : sweptP) {
      HEDDLE_TRY(SweepPoint point, runPoint(p, iterations, options, progress));
      sweep.points.push_back(std::move(point));
    }
    findings.sweeps.push_back(std::move(sweep));
  }
  return findings;
}

Expected<std::string> runPolicySweep(const PolicySweepOptions& options, const Output& output) {
  std::optional<report::SweepFindings> findings;
  {
    Progress progress("simulating");
    HEDDLE_TRY(findings, computePolicySweep(options, progress));
  }
  if (!options.svgFolder.empty())
    HEDDLE_CHECK(writePictures(options.svgFolder, *findings));
  return output.json ? report::sweepJson(*findings) : report::sweepText(*findings, output.style);
}

} // namespace heddle::driver
