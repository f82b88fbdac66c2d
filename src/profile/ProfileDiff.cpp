// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileDiff.h"

#include <algorithm>
#include <array>

namespace heddle::profile {
namespace {

/// In the order of Metric.
constexpr std::array<MetricInfo, metricCount> metrics = {{
    {"efficiency", "SIMD efficiency", true, true},
    {"switched-off", "switched off", true},
    {"lost", "lost lanes"},
    {"warp-instructions", "warp-instructions"},
    {"thread-instructions", "thread-instructions", false, false, true},
    {"time", "estimated time"},
    {"occupancy", "occupancy", true, true},
    {"registers", "registers"},
    {"spills", "spilled bytes"},
    {"sectors", "sectors, sampled"},
    {"sectors-per-request", "sectors a request"},
    {"conflict-degree", "bank conflict degree"},
}};

AccessCounts sumOf(const KernelProfile& kernel, bool ofShared) {
  AccessCounts sum;
  for (const MemoryProfile& access : kernel.accesses)
    if ((access.space == MemorySpace::Shared) == ofShared)
      sum += access;
  return sum;
}

std::optional<double> perRequest(const AccessCounts& counts) {
  if (counts.executions == 0)
    return std::nullopt;
  return double(counts.transactions) / double(counts.executions);
}

std::optional<double> timingValue(const KernelProfile& kernel, Metric metric) {
  if (!kernel.timing)
    return std::nullopt;
  const KernelTiming& timing = *kernel.timing;
  switch (metric) {
  case Metric::Time:
    return timing.seconds;
  case Metric::Occupancy:
    return timing.occupancy;
  case Metric::Registers:
    return timing.registers.registers;
  default:
    return timing.registers.spillBytes;
  }
}

/// Index in `kernels` of the only one that `is` holds for and that is free; -1 for none or several.
template <class Is>
int onlyOne(const std::vector<KernelProfile>& kernels, const std::vector<bool>& taken, Is is) {
  int found = -1;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (!taken[i] && is(kernels[i])) {
      if (found >= 0)
        return -1;
      found = int(i);
    }
  return found;
}

} // namespace

const MetricInfo& infoOf(Metric metric) {
  return metrics[std::size_t(metric)];
}

std::optional<Metric> metricNamed(std::string_view name) {
  const auto found = std::ranges::find(metrics, name, &MetricInfo::name);
  return found == metrics.end() ? std::nullopt : std::optional(Metric(found - metrics.begin()));
}

std::optional<double> valueOf(const KernelProfile& kernel, Metric metric) {
  switch (metric) {
  case Metric::Efficiency:
    return kernel.efficiency();
  case Metric::SwitchedOff:
    return kernel.switchedOff ? std::optional(kernel.shareOfUsed(*kernel.switchedOff))
                              : std::nullopt;
  case Metric::Lost:
    return double(kernel.slots() - kernel.threadInstructions);
  case Metric::WarpInstructions:
    return double(kernel.warpInstructions);
  case Metric::ThreadInstructions:
    return double(kernel.threadInstructions);
  case Metric::Time:
  case Metric::Occupancy:
  case Metric::Registers:
  case Metric::Spills:
    return timingValue(kernel, metric);
  case Metric::Sectors:
    return double(sumOf(kernel, false).transactions);
  case Metric::SectorsPerRequest:
    return perRequest(sumOf(kernel, false));
  case Metric::ConflictDegree:
    return perRequest(sumOf(kernel, true));
  }
  return std::nullopt;
}

std::vector<KernelPair> pairKernels(const ProgramProfile& before, const ProgramProfile& after) {
  std::vector<bool> taken(before.kernels.size());
  std::vector<KernelPair> pairs;
  for (const KernelProfile& kernel : after.kernels)
    pairs.push_back({nullptr, &kernel});
  const auto match = [&](auto isSame) {
    for (KernelPair& pair : pairs) {
      if (pair.before != nullptr)
        continue;
      const int found = onlyOne(before.kernels, taken, [&](const KernelProfile& kernel) {
        return isSame(kernel, *pair.after);
      });
      if (found < 0)
        continue;
      taken[std::size_t(found)] = true;
      pair.before = &before.kernels[std::size_t(found)];
    }
  };
  match([](const KernelProfile& a, const KernelProfile& b) { return a.id == b.id; });
  match([](const KernelProfile& a, const KernelProfile& b) { return a.kernel == b.kernel; });
  const LineTexts textsBefore = lineTextsOf(before), textsAfter = lineTextsOf(after);
  for (KernelPair& pair : pairs)
    if (pair.isInBoth()) {
      pair.branches = pairBranches(*pair.before, textsBefore, *pair.after, textsAfter);
      pair.lines = pairLines(*pair.before, textsBefore, *pair.after, textsAfter);
    }
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i])
      pairs.push_back({&before.kernels[i], nullptr});
  return pairs;
}

} // namespace heddle::profile
