// SPDX-License-Identifier: Apache-2.0
//
// The iterations of loops that the compiler has made several pieces of, lane by lane: lanes that
// leave the first piece at different times do the second one together. SourceLoops.h.
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/Counters.h"
#include "support/LaneMask.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::engine {

class LoopVisits {
public:
  void clear() { done_.clear(); }

  void add(int loop, LaneMask lanes, std::uint64_t iterations) {
    Iterations& done = of(loop);
    for (; lanes != 0; lanes &= lanes - 1)
      done[std::size_t(std::countr_zero(lanes))] += iterations;
  }

  void take(const LoopEdge::Visit& visit, LaneMask lanes, Counters& counters) {
    if (visit.ends)
      leave(visit.loop, lanes, counters);
    if (visit.begins)
      forget(visit.loop, lanes);
    if (visit.isIteration)
      add(visit.loop, lanes, 1);
  }

private:
  using Iterations = std::array<std::uint64_t, warpSize>; ///< so far, of each lane

  Iterations& of(int loop) {
    if (done_.size() <= std::size_t(loop))
      done_.resize(std::size_t(loop) + 1);
    return done_[std::size_t(loop)];
  }

  void forget(int loop, LaneMask lanes) {
    Iterations& done = of(loop);
    for (; lanes != 0; lanes &= lanes - 1)
      done[std::size_t(std::countr_zero(lanes))] = 0;
  }

  /// Lanes with as many iterations go together. Those that pass the loop by have none.
  void leave(int loop, LaneMask lanes, Counters& counters) {
    const Iterations& done = of(loop);
    while (lanes != 0) {
      const std::uint64_t iterations = done[std::size_t(std::countr_zero(lanes))];
      LaneMask same = 0;
      for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
        if (done[std::size_t(std::countr_zero(rest))] == iterations)
          same |= rest & -rest;
      if (iterations > 0)
        counters.loops[std::size_t(loop)].leave(iterations, std::uint64_t(countLanes(same)));
      lanes &= ~same;
    }
  }

  std::vector<Iterations> done_; ///< by loop
};

} // namespace heddle::engine
