// SPDX-License-Identifier: Apache-2.0
//
// One multiprocessor that runs traced thread blocks, event by event. A warp issues its steps in
// order; a step waits for its operands, for a slot of its warp's scheduler and for its unit. Loads
// wait for memory: a latency, behind the bytes that others have asked for. Barriers wait for all
// warps of the block. As many blocks are resident as occupancy allows; when one ends, the next
// begins. Nothing here says that occupancy helps: with enough warps there is always one that can
// issue, with few there is not.
#pragma once

#include "profile/Timeline.h"
#include "timing/DeviceCosts.h"

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::timing {

struct ReplaySettings {
  int resident = 1;        ///< blocks at once
  std::int64_t blocks = 1; ///< to run
  std::int64_t span = 0; ///< if larger: the trace stands for so many, of which these are the first
  double bytesPerCycle = 1;      ///< share of the memory bandwidth
  double l2BytesPerCycle = 1;    ///< share of the L2's
  double writeBytesPerCycle = 0; ///< share of what the L2 takes; 0: as the two above
  /// By site: share of the fresh sectors that no cache has; 1 where nothing is said.
  std::vector<double> fromDram = {};
  std::vector<double> afar = {}; ///< of the others, share that is in another partition of the L2
  double blockInterval = 0;      ///< from the start of a block to that of the next
  std::size_t first = 0;         ///< block of the trace to begin with
  profile::Timeline* timeline = nullptr; ///< where to note when blocks and warps ran
};

struct ReplayResult {
  double cycles = 0;
  std::uint64_t steps = 0; ///< machine instructions issued, of warps
  double instructions = 0; ///< the same as the account counts them
  double issueBusy = 0;    ///< cycles, of the busiest of schedulers and units
  double memoryBusy = 0;   ///< cycles in which bytes moved
};

ReplayResult replay(const profile::KernelTrace& trace, const DeviceCosts& costs,
                    const ReplaySettings& settings);

} // namespace heddle::timing
