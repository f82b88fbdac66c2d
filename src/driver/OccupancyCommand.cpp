// SPDX-License-Identifier: Apache-2.0
#include "driver/OccupancyCommand.h"

#include "machine/DeviceCatalog.h"
#include "report/OccupancyReport.h"
#include "support/Files.h"

namespace heddle::driver {

Expected<std::string> runOccupancy(const OccupancyOptions& options, const Output& output) {
  HEDDLE_TRY(machine::Target target, machine::resolveTarget(options.device));
  HEDDLE_CHECK(machine::validateResources(target.limits, options.kernel));
  if (options.grid && *options.grid < 1)
    return fail(ErrorKind::BadInput, "a grid of {} blocks: expected at least 1", *options.grid);
  if (options.grid && !target.device)
    return fail(ErrorKind::BadInput,
                "a grid needs the number of multiprocessors; name a GPU instead of {}",
                target.label);

  report::OccupancyFindings findings{std::move(target), options.kernel, {}, {}, std::nullopt};
  findings.occupancy = machine::computeOccupancy(findings.target.limits, options.kernel);
  findings.advice = machine::adviseOccupancy(findings.target.limits, options.kernel);
  if (findings.target.device)
    findings.launch = machine::adviseLaunch(*findings.target.device, options.kernel,
                                            findings.occupancy, options.grid);
  if (!options.svgFile.empty())
    HEDDLE_CHECK(writeFile(options.svgFile, report::occupancySvg(findings)));
  return output.json ? report::occupancyJson(findings)
                     : report::occupancyText(findings, output.style);
}

} // namespace heddle::driver
