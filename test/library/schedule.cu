// SPDX-License-Identifier: Apache-2.0
//
// scheduled_loop under every policy with 2 to 8 ways, in blocks of 1 to 1024 threads, after lanes
// have returned and behind a branch that divides the warp. Held against a plain loop on the host;
// prints checksums.
#include <heddle/schedule.cuh>

#include "loops.cuh"

/// Which lanes run the loop, and how they get there.
enum class Arrival { all, some_returned, behind_a_branch };
constexpr Arrival arrivals[] = {Arrival::all, Arrival::some_returned, Arrival::behind_a_branch};

template <class Policy, int Ways, int... Way>
__device__ void runLoop(Loop& loop, std::integer_sequence<int, Way...>) {
  heddle::scheduled_loop<Policy, Ways>([&] { return loop.next(Ways); },
                                       [&] { return Path<Way>()(loop); }..., [&] { loop.after(); });
}

/// Lanes that have no part in it leave 1.
template <class Policy, int Ways> __global__ void scheduled(Arrival arrival, unsigned* results) {
  const int thread = static_cast<int>(threadIdx.x);
  constexpr auto ways = std::make_integer_sequence<int, Ways>();
  Loop loop(thread);
  if (arrival == Arrival::some_returned && thread % 3 == 0) {
    results[thread] = 1;
    return;
  }
  if (arrival != Arrival::behind_a_branch) {
    runLoop<Policy, Ways>(loop, ways);
  } else if (loop.random % 4 != 0) {
    runLoop<Policy, Ways>(loop, ways);
  } else {
    loop.value = 1;
  }
  results[thread] = loop.value;
}

bool takesPart(Arrival arrival, int thread) {
  if (arrival == Arrival::some_returned)
    return thread % 3 != 0;
  return arrival == Arrival::all || Loop(thread).random % 4 != 0;
}

template <class Policy, int Ways> void test(const char* policy) {
  unsigned sum = 0;
  for (const int threads : {1, 2, 3, 31, 32, 33, 48, 64, 128, 250, 256, 512, 1000, 1024})
    for (const Arrival arrival : arrivals) {
      Results results(threads);
      scheduled<Policy, Ways><<<1, threads>>>(arrival, results.data());
      const std::vector<unsigned> values = results.values();
      for (int thread = 0; thread < threads; ++thread)
        REQUIRE(values[static_cast<size_t>(thread)] ==
                (takesPart(arrival, thread) ? expectedValue(thread, Ways) : 1));
      sum = sum * 17 + checksum(values);
    }
  std::printf("%d ways, %s: %08x\n", Ways, policy, sum);
}

/// One way after the other, and the same word with its first letter again in between.
template <int... Way> void testWays(std::integer_sequence<int, Way...>) {
  constexpr int ways = sizeof...(Way);
  test<heddle::alternating, ways>("alternating");
  test<heddle::fixed<0, Way..., 0>, ways>("fixed");
  test<heddle::word<0, Way..., 0>, ways>("word");
  test<heddle::frequency, ways>("frequency");
  test<heddle::laggard, ways>("laggard");
  test<heddle::aging, ways>("aging");
  test<heddle::cost_aging<1 + Way...>, ways>("cost_aging");
}

/// A loop without a part after the paths, and paths that return nothing, in whole warps of a grid.
__global__ void twoPlainPaths(unsigned* results) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned value = 1;
  int i = 0;
  heddle::scheduled_loop<heddle::aging, 2>(
      [&] { return i == 10 ? heddle::done : (thread + i++) % 2; }, [&] { value = 3 * value + 1; },
      [&] { value = 5 * value + 2; });
  results[thread] = value;
}

void testTwoPlainPaths() {
  Results results(512);
  twoPlainPaths<<<4, 128>>>(results.data());
  const std::vector<unsigned> values = results.values();
  for (int thread = 0; thread < 512; ++thread) {
    unsigned value = 1;
    for (int i = 0; i < 10; ++i)
      value = (thread + i) % 2 == 0 ? 3 * value + 1 : 5 * value + 2;
    REQUIRE(values[static_cast<size_t>(thread)] == value);
  }
  std::printf("two plain paths: %08x\n", checksum(values));
}

int main() {
  testWays(std::make_integer_sequence<int, 2>());
  testWays(std::make_integer_sequence<int, 3>());
  testWays(std::make_integer_sequence<int, 4>());
  testWays(std::make_integer_sequence<int, 5>());
  testWays(std::make_integer_sequence<int, 6>());
  testWays(std::make_integer_sequence<int, 7>());
  testWays(std::make_integer_sequence<int, 8>());
  testTwoPlainPaths();
  std::printf("PASS\n");
  return 0;
}
