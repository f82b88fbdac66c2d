// SPDX-License-Identifier: Apache-2.0
#include "driver/OccupancyCommand.h"

#include "driver/OccupancyKernel.h"
#include "machine/DeviceCatalog.h"
#include "report/OccupancyReport.h"
#include "support/Files.h"

namespace heddle::driver {
namespace {

Expected<void> needBoth(const OccupancyOptions& options) {
  constexpr const char* missing = "{} N is missing: {} (see 'heddle occupancy --help')";
  if (!options.threads)
    return fail(ErrorKind::BadInput, missing, "--threads", "threads per block");
  if (!options.registers)
    return fail(ErrorKind::BadInput, missing, "--registers",
                "registers per thread (ptxas -v tells), or --kernel FILE.ptx");
  return {};
}

/// What is given, over what the kernel says.
Expected<void> takeKernel(const OccupancyOptions& options, report::OccupancyFindings& findings) {
  HEDDLE_TRY(const KernelNeeds needs, readKernelNeeds(options.kernelFile, findings.target.limits));
  if (!options.threads && needs.threads == 0)
    return fail(ErrorKind::BadInput,
                "--threads N is missing: kernel '{}' has neither .reqntid nor .maxntid",
                needs.name);
  machine::KernelResources& kernel = findings.kernel;
  kernel.threads = options.threads.value_or(needs.threads);
  kernel.registers = options.registers.value_or(needs.registers.registers);
  kernel.shared += needs.shared;
  findings.source = {.file = needs.file,
                     .kernel = needs.name,
                     .registers = options.registers ? profile::RegisterSource::Kind::Given
                                                    : needs.registers.source,
                     .spillBytes = options.registers ? 0 : needs.registers.spillBytes,
                     .staticShared = needs.shared};
  return {};
}

} // namespace

Expected<std::string> runOccupancy(const OccupancyOptions& options, const Output& output) {
  HEDDLE_TRY(machine::Target target, machine::resolveTarget(options.device));
  report::OccupancyFindings findings{std::move(target), options.kernel, {}, {},
                                     std::nullopt,      std::nullopt};
  machine::KernelResources& kernel = findings.kernel;
  if (options.kernelFile.empty()) {
    HEDDLE_CHECK(needBoth(options));
    kernel.threads = *options.threads;
    kernel.registers = *options.registers;
  } else {
    HEDDLE_CHECK(takeKernel(options, findings));
  }
  HEDDLE_CHECK(machine::validateResources(findings.target.limits, kernel));
  if (options.grid && *options.grid < 1)
    return fail(ErrorKind::BadInput, "a grid of {} blocks: expected at least 1", *options.grid);
  if (options.grid && !findings.target.device)
    return fail(ErrorKind::BadInput,
                "a grid needs the number of multiprocessors; name a GPU instead of {}",
                findings.target.label);

  findings.occupancy = machine::computeOccupancy(findings.target.limits, kernel);
  findings.advice = machine::adviseOccupancy(findings.target.limits, kernel);
  if (findings.target.device)
    findings.launch =
        machine::adviseLaunch(*findings.target.device, kernel, findings.occupancy, options.grid);
  if (!options.svgFile.empty())
    HEDDLE_CHECK(writeFile(options.svgFile, report::occupancySvg(findings)));
  return output.json ? report::occupancyJson(findings)
                     : report::occupancyText(findings, output.style);
}

} // namespace heddle::driver
