// SPDX-License-Identifier: Apache-2.0
#include "timing/HostMemory.h"

#include "machine/DeviceCatalog.h"
#include "timing/MemoryShares.h"
#include "timing/TraceSample.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace heddle::timing {
namespace {

constexpr double secondsToTheHost = 1e-6;
/// Both ways at once: on an H200 a MiB that is read takes 20.7 us, one that is changed 25.
constexpr double otherWay = 0.2;

} // namespace

double cyclesToTheHost(const machine::Device& device) {
  return secondsToTheHost * device.multiprocessorMHz * 1e6;
}

double cyclesOverTheBus(const profile::KernelTrace& trace, const machine::Device& device,
                        double freshBytes) {
  if (std::ranges::none_of(trace.footprints, [](const profile::Footprint& footprint) {
        return footprint.onHost && footprint.fresh > 0;
      }))
    return 0;
  const double sampled = freshSectors(trace);
  const std::set<std::uint32_t> reads = sitesThatRead(*trace.shape);
  std::map<std::pair<std::uint64_t, bool>, double> uses; ///< by allocation, and whether it is read
  std::array<double, 2> bytes{};                         ///< written, read
  for (const profile::Footprint& footprint : trace.footprints) {
    if (!footprint.onHost)
      continue;
    const bool isRead = reads.contains(footprint.site);
    double& known = uses[{footprint.begin, isRead}];
    const double added =
        std::min(double(footprint.fresh) * freshBytes / sampled, double(footprint.size) - known);
    known += added;
    bytes[isRead ? 1 : 0] += added;
  }
  const auto [less, more] = std::minmax(bytes[0], bytes[1]);
  const double perSecond =
      device.busGBps.value_or(machine::referenceDevice().busGBps.value()) * 1e9;
  return (more + otherWay * less) / perSecond * device.multiprocessorMHz * 1e6;
}

} // namespace heddle::timing
