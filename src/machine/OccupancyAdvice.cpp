// SPDX-License-Identifier: Apache-2.0
#include "machine/OccupancyAdvice.h"

#include "support/LaneMask.h"

#include <algorithm>

namespace heddle::machine {
namespace {

using Resource = int KernelResources::*;

double occupancyWith(const SmLimits& limits, KernelResources kernel, Resource resource, int value) {
  kernel.*resource = value;
  return computeOccupancy(limits, kernel).occupancy;
}

/// Walks from the present value by `step` up to and including `end`; the first better value.
std::optional<ResourceChange> firstBetter(const SmLimits& limits, const KernelResources& kernel,
                                          Resource resource, int begin, int end, int step) {
  const double now = computeOccupancy(limits, kernel).occupancy;
  for (int value = begin; step < 0 ? value >= end : value <= end; value += step) {
    const double occupancy = occupancyWith(limits, kernel, resource, value);
    if (occupancy > now)
      return ResourceChange{value, occupancy};
  }
  return std::nullopt;
}

/// The largest value up to `end` that keeps the present occupancy.
int largestForFree(const SmLimits& limits, const KernelResources& kernel, Resource resource,
                   int end, int step) {
  const double now = computeOccupancy(limits, kernel).occupancy;
  int best = kernel.*resource;
  for (int value = best - best % step + step; value <= end; value += step) {
    if (occupancyWith(limits, kernel, resource, value) < now)
      break;
    best = value;
  }
  return best;
}

int sharedMost(const SmLimits& limits, const KernelResources& kernel) {
  return kernel.optIn ? limits.sharedPerBlockOptIn : limits.sharedPerBlock;
}

void findBestBlockSizes(const SmLimits& limits, const KernelResources& kernel,
                        OccupancyAdvice& advice) {
  for (int threads = warpSize; threads <= limits.threadsPerBlock; threads += warpSize) {
    const double occupancy = occupancyWith(limits, kernel, &KernelResources::threads, threads);
    if (occupancy > advice.bestOccupancy) {
      advice.bestOccupancy = occupancy;
      advice.bestBlockSizes.clear();
    }
    if (occupancy == advice.bestOccupancy && occupancy > 0)
      advice.bestBlockSizes.push_back(threads);
  }
}

} // namespace

OccupancyAdvice adviseOccupancy(const SmLimits& limits, const KernelResources& kernel) {
  OccupancyAdvice advice;
  const int wholeWarps = (kernel.threads + warpSize - 1) / warpSize * warpSize;
  advice.fewerRegisters =
      firstBetter(limits, kernel, &KernelResources::registers, kernel.registers - 1, 1, -1);
  advice.smallerBlock = firstBetter(limits, kernel, &KernelResources::threads,
                                    wholeWarps - warpSize, warpSize, -warpSize);
  advice.largerBlock = firstBetter(limits, kernel, &KernelResources::threads, wholeWarps + warpSize,
                                   limits.threadsPerBlock, warpSize);
  const int unit = limits.sharedUnit;
  const int allocatedBelow = kernel.shared - 1 - (kernel.shared + unit - 1) % unit;
  advice.lessShared =
      firstBetter(limits, kernel, &KernelResources::shared, allocatedBelow, 0, -unit);
  advice.registersForFree =
      largestForFree(limits, kernel, &KernelResources::registers, limits.registersPerThread, 1);
  advice.sharedForFree =
      largestForFree(limits, kernel, &KernelResources::shared, sharedMost(limits, kernel), unit);
  findBestBlockSizes(limits, kernel, advice);
  return advice;
}

std::vector<CurvePoint> occupancyCurve(const SmLimits& limits, const KernelResources& kernel,
                                       CurveAxis axis) {
  struct Sweep {
    Resource resource;
    int begin, end, step;
  };
  const auto sweep = [&]() -> Sweep {
    switch (axis) {
    case CurveAxis::Threads:
      return {&KernelResources::threads, warpSize, limits.threadsPerBlock, warpSize};
    case CurveAxis::Registers:
      return {&KernelResources::registers, 1, limits.registersPerThread, 1};
    case CurveAxis::Shared:
      break;
    }
    return {&KernelResources::shared, 0, sharedMost(limits, kernel), limits.sharedUnit};
  }();
  std::vector<CurvePoint> curve;
  KernelResources varied = kernel;
  for (int value = sweep.begin; value <= sweep.end; value += sweep.step) {
    varied.*(sweep.resource) = value;
    curve.push_back({value, computeOccupancy(limits, varied).activeWarps});
  }
  return curve;
}

} // namespace heddle::machine
