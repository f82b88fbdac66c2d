// SPDX-License-Identifier: Apache-2.0
#include "timing/FirstTouch.h"

#include "machine/DeviceCatalog.h"
#include "timing/TraceSample.h"

#include <algorithm>

namespace heddle::timing {
namespace {

const machine::FirstTouchMicroseconds& costsOf(const machine::Device& device) {
  return device.firstTouch ? *device.firstTouch : machine::referenceDevice().firstTouch.value();
}

} // namespace

std::vector<TouchedRange> touchedRanges(const profile::KernelTrace& trace, std::int64_t blocks) {
  const double sampled = freshSectors(trace);
  if (sampled <= 0 || trace.blocks.empty())
    return {};
  const double ofTheGrid = double(blocks - trace.ended.blocks) / double(trace.blocks.size());
  const double bytesOfEach = sampleOf(trace).freshBytes * ofTheGrid / sampled;
  std::vector<TouchedRange> ranges;
  for (const profile::Footprint& footprint : trace.footprints) {
    const double bytes = double(footprint.fresh) * bytesOfEach;
    const std::uint64_t first = std::min(footprint.first, footprint.size);
    const auto most = double(footprint.size - first);
    const std::uint64_t end = std::max(footprint.end, first + std::uint64_t(std::min(bytes, most)));
    if (bytes > 0)
      ranges.push_back({footprint.begin, first, end, bytes / double(profile::bytesOfASector)});
  }
  return ranges;
}

double firstTouchSeconds(const machine::Device& device, double written, double fresh) {
  const machine::FirstTouchMicroseconds& costs = costsOf(device);
  double microseconds = costs.written.of(written) + costs.fresh.of(fresh);
  if (written > 0 && fresh > 0) // the kernel waits for both together
    microseconds -= std::min(costs.written.fixed, costs.fresh.fixed);
  return microseconds * 1e-6;
}

double prefetchSeconds(const machine::Device& device, double bytes) {
  return costsOf(device).prefetch.of(bytes) * 1e-6;
}

} // namespace heddle::timing
