// SPDX-License-Identifier: Apache-2.0
//
// What to change in a kernel to raise its occupancy, and what may still grow without lowering it.
#pragma once

#include "machine/Occupancy.h"

#include <optional>
#include <vector>

namespace heddle::machine {

/// One resource changed, everything else as it was.
struct ResourceChange {
  int value = 0;
  double occupancy = 0; ///< 0 to 1
};

struct OccupancyAdvice {
  /// The nearest values that raise occupancy; nothing where no value of that resource alone does.
  std::optional<ResourceChange> fewerRegisters;
  std::optional<ResourceChange> smallerBlock;
  std::optional<ResourceChange> largerBlock;
  std::optional<ResourceChange> lessShared;

  /// The largest values that keep today's occupancy.
  int registersForFree = 0;
  int sharedForFree = 0;

  /// Block sizes (multiples of the warp size) with the highest occupancy, ascending.
  std::vector<int> bestBlockSizes;
  double bestOccupancy = 0;
};

/// Needs resources that validateResources accepts.
OccupancyAdvice adviseOccupancy(const SmLimits& limits, const KernelResources& kernel);

enum class CurveAxis { Threads, Registers, Shared };

struct CurvePoint {
  int value = 0;
  int activeWarps = 0;
};

/// Active warps over one resource, the others as in `kernel`: the curves of NVIDIA's calculator.
std::vector<CurvePoint> occupancyCurve(const SmLimits& limits, const KernelResources& kernel,
                                       CurveAxis axis);

} // namespace heddle::machine
