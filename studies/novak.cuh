// SPDX-License-Identifier: Apache-2.0
//
// Novak's iteration scheduling, as his supplement describes it. A loop whose body takes one of
// several paths becomes one that runs one path per turn for the whole warp:
//
//   while (c1) {                      path = c1 ? (B1; c2) : finished
//     B1;                             while (some lane is not finished) {
//     c2 ? A : B;           ==>         chosen = policy.pick(what the lanes want)
//     B2;                               if (path == chosen) { A or B;  B2;  path = next c1, B1, c2
//     }
//   }                                 }
//
// A lane's own statements keep their order, so its results are the same bits. A policy sees only
// counts of lanes, so that the same code runs in a kernel and in a Monte Carlo on the host.
#pragma once

#include <cuda_runtime.h>

namespace novak {

constexpr int lanesOfWarp = 32;
constexpr int finished = -1;
constexpr unsigned allLanes = 0xffffffffu;

/// How many unfinished lanes want each path; at least one does.
template <int Ways> struct Wanted {
  int lanes[Ways];
  int laggards[Ways]; ///< Only the least advanced lanes; filled for a policy that asks for it.
};

/// The paths in turn; one that no lane wants gives way to the next.
template <int Ways> struct Alternating {
  static constexpr const char* name = "alternating";
  static constexpr bool seesLaggards = false;
  int turn = 0;

  __host__ __device__ int pick(const Wanted<Ways>& wanted) {
    int best = 0;
    int soonest = Ways;
    for (int path = 0; path < Ways; ++path) {
      const int wait = path >= turn ? path - turn : path - turn + Ways;
      const bool better = wanted.lanes[path] != 0 && wait < soonest;
      best = better ? path : best;
      soonest = better ? wait : soonest;
    }
    turn = turn + 1 == Ways ? 0 : turn + 1;
    return best;
  }
};

/// The path most lanes want; equal ones are preferred in turn.
template <int Ways> struct Frequency {
  static constexpr const char* name = "frequency";
  static constexpr bool seesLaggards = false;
  static_assert((Ways & (Ways - 1)) == 0, "ties are broken by a mask");
  int turn = 0;

  __host__ __device__ int pick(const Wanted<Ways>& wanted) {
    int best = 0;
    int most = -1;
    for (int path = 0; path < Ways; ++path) {
      const int votes = wanted.lanes[path] * Ways + ((path + turn) & (Ways - 1));
      best = votes > most ? path : best;
      most = votes > most ? votes : most;
    }
    ++turn;
    return best;
  }
};

/// The majority among the least advanced lanes, then among all: our reading of Novak's "balanced".
template <int Ways> struct Laggard {
  static constexpr const char* name = "laggard";
  static constexpr bool seesLaggards = true;

  __host__ __device__ int pick(const Wanted<Ways>& wanted) {
    int best = 0;
    int most = -1;
    for (int path = 0; path < Ways; ++path) {
      const int votes = wanted.laggards[path] * 2 * lanesOfWarp + wanted.lanes[path];
      best = votes > most ? path : best;
      most = votes > most ? votes : most;
    }
    return best;
  }
};

/// Every turn a path ages by the lanes that want it; the oldest runs and is young again.
template <int Ways> struct Aging {
  static constexpr const char* name = "aging";
  static constexpr bool seesLaggards = false;
  int age[Ways] = {};

  __host__ __device__ int pick(const Wanted<Ways>& wanted) {
    int best = 0;
    int oldest = -1;
    for (int path = 0; path < Ways; ++path) {
      age[path] += wanted.lanes[path];
      best = age[path] > oldest ? path : best;
      oldest = age[path] > oldest ? age[path] : oldest;
    }
    for (int path = 0; path < Ways; ++path)
      age[path] = path == best ? 0 : age[path];
    return best;
  }
};

/// How often a warp ran each path.
template <int Ways> struct Turns {
  int of[Ways];
};

/// Runs the loop of all 32 lanes of a warp under a policy. The loop has `int first()` (the path of
/// the first iteration), `int run(int path)` (that path, then the path of the next iteration) and
/// `int done` (iterations behind it); both return `finished` at the end.
template <int Ways, class Policy, class Loop>
__device__ Turns<Ways> runScheduled(Loop& loop, Policy policy) {
  Turns<Ways> turns = {};
  int least = 0; // of the unfinished lanes' `done`: it never falls, so it is only counted up
  for (int path = loop.first();;) {
    unsigned lanes[Ways];
    Wanted<Ways> wanted = {};
    unsigned live = 0;
    for (int way = 0; way < Ways; ++way) {
      lanes[way] = __ballot_sync(allLanes, path == way);
      wanted.lanes[way] = __popc(lanes[way]);
      live |= lanes[way];
    }
    if (live == 0)
      return turns;
    if (Policy::seesLaggards) {
      unsigned behind = __ballot_sync(allLanes, path != finished && loop.done == least);
      while (behind == 0) {
        ++least;
        behind = __ballot_sync(allLanes, path != finished && loop.done == least);
      }
      for (int way = 0; way < Ways; ++way)
        wanted.laggards[way] = __popc(lanes[way] & behind);
    }
    const int chosen = policy.pick(wanted);
    for (int way = 0; way < Ways; ++way)
      turns.of[way] += chosen == way;
    if (path == chosen)
      path = loop.run(chosen);
    __syncwarp();
  }
}

/// The same loop run as it stands: each lane follows its own path.
template <class Loop> __device__ void runNative(Loop& loop) {
  for (int path = loop.first(); path != finished;)
    path = loop.run(path);
}

} // namespace novak
