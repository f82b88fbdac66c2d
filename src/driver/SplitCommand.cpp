// SPDX-License-Identifier: Apache-2.0
#include "driver/SplitCommand.h"

#include "report/SplitReport.h"

namespace heddle::driver {

Expected<std::string> runSplit(const SplitOptions& options, const Output& output) {
  if (options.times.size() != options.occupancies.size())
    return fail(ErrorKind::BadInput, "{} times and {} occupancies: expected one of each per path",
                options.times.size(), options.occupancies.size());
  if (options.times.empty() && options.overhead != 0)
    return fail(ErrorKind::BadInput, "--overhead goes with --time and --occupancy");
  if (options.times.empty() && !options.p)
    return fail(ErrorKind::BadInput,
                "nothing to compute; give --time and --occupancy, or --p, or all three");
  report::SplitFindings findings;
  findings.overhead = options.overhead;
  if (!options.times.empty()) {
    for (std::size_t path = 0; path < options.times.size(); ++path)
      findings.paths.push_back({options.times[path], options.occupancies[path]});
    HEDDLE_TRY(findings.bound, model::splitBound(findings.paths, options.overhead));
  }
  if (options.p) {
    findings.elseShare = options.p;
    HEDDLE_TRY(findings.mixedShare, model::mixedWarpShare(*options.p));
  }
  return output.json ? report::splitJson(findings) : report::splitText(findings, output.style);
}

} // namespace heddle::driver
