// SPDX-License-Identifier: Apache-2.0
//
// Tables of operations, and how those that compute lane by lane are written.
#pragma once

#include "sassrun/Warp.h"

#include <cstdint>
#include <span>

namespace heddle::sassrun {

struct HandlerEntry {
  unsigned operation; ///< Encoding::operation
  Handler handler;
};

std::span<const HandlerEntry> integerHandlers();
std::span<const HandlerEntry> uniformHandlers();
std::span<const HandlerEntry> floatHandlers();
std::span<const HandlerEntry> doubleHandlers();
std::span<const HandlerEntry> halfHandlers();
std::span<const HandlerEntry> conversionHandlers();
std::span<const HandlerEntry> memoryHandlers();
std::span<const HandlerEntry> atomicHandlers();
std::span<const HandlerEntry> warpHandlers();

/// Calls back for each lane of a set.
template <class Visit> void forEachLane(LaneMask lanes, Visit visit) {
  for (int lane = 0; lane < warpSize; ++lane)
    if ((lanes >> lane & 1) != 0)
      visit(lane);
}

/// A result of 32 bits from operands of 32 bits.
///
///   void add(Warp& warp, const Instruction& i, LaneMask lanes) {
///     computeLanes(warp, i, lanes, [&](int lane) { return warp.value(i.a, lane) + ...; });
///   }
template <class Compute>
void computeLanes(Warp& warp, const Instruction& instruction, LaneMask lanes, Compute compute) {
  Warp::Row results;
  forEachLane(lanes, [&](int lane) { results[std::size_t(lane)] = compute(lane); });
  forEachLane(lanes,
              [&](int lane) { warp.set(instruction.result, lane, results[std::size_t(lane)]); });
}

/// The same with results of 64 bits, in a pair of registers.
template <class Compute>
void computeWide(Warp& warp, const Instruction& instruction, LaneMask lanes, Compute compute) {
  forEachLane(lanes, [&](int lane) { warp.setPair(instruction.result, lane, compute(lane)); });
}

/// A set of lanes for which something holds.
template <class Holds> LaneMask lanesWhere(LaneMask lanes, Holds holds) {
  LaneMask found = 0;
  forEachLane(lanes, [&](int lane) { found |= LaneMask(holds(lane)) << lane; });
  return found;
}

/// How a comparison goes on with the predicate that it gets: 0 and, 1 or, 2 exclusive or.
inline LaneMask combine(unsigned how, LaneMask outcome, LaneMask with) {
  return how == 0 ? (outcome & with) : how == 1 ? (outcome | with) : (outcome ^ with);
}

} // namespace heddle::sassrun
