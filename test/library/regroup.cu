// SPDX-License-Identifier: Apache-2.0
//
// regrouped_loop with 1 to 8 ways in blocks of 32 to 1024 threads, always regrouping, never, and by
// its own rule. Held against a plain loop on the host; prints checksums.
#include <heddle/regroup.cuh>

#include "loops.cuh"

using heddle::regroup_when;

template <int BlockSize, int Ways, regroup_when When, int... Way>
__device__ void runLoop(Loop& loop, std::integer_sequence<int, Way...>) {
  heddle::regrouped_loop<BlockSize, Ways, Loop, When>(
      loop, [](Loop& mine) { return mine.next(Ways); }, Path<Way>()...,
      [](Loop& mine) { mine.after(); });
}

template <int BlockSize, int Ways, regroup_when When> __global__ void regrouped(unsigned* results) {
  Loop loop(static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
  runLoop<BlockSize, Ways, When>(loop, std::make_integer_sequence<int, Ways>());
  __syncthreads(); // all have left the loop
  results[loop.thread] = loop.value;
}

template <int BlockSize, int Ways, regroup_when When> void test(const char* when) {
  constexpr int blocks = 3;
  Results results(blocks * BlockSize);
  regrouped<BlockSize, Ways, When><<<blocks, BlockSize>>>(results.data());
  const std::vector<unsigned> values = results.values();
  for (int thread = 0; thread < blocks * BlockSize; ++thread)
    REQUIRE(values[static_cast<size_t>(thread)] == expectedValue(thread, Ways));
  std::printf("%d ways, blocks of %d, %s: %08x\n", Ways, BlockSize, when, checksum(values));
}

template <int BlockSize, int Ways> void testRules() {
  test<BlockSize, Ways, regroup_when::mixed>("mixed");
  test<BlockSize, Ways, regroup_when::always>("always");
  test<BlockSize, Ways, regroup_when::never>("never");
}

int main() {
  testRules<256, 1>();
  testRules<256, 2>();
  testRules<256, 3>();
  testRules<256, 4>();
  testRules<256, 5>();
  testRules<256, 6>();
  testRules<256, 7>();
  testRules<256, 8>();
  testRules<32, 1>();
  testRules<96, 1>();
  testRules<1024, 1>();
  testRules<32, 4>();
  testRules<64, 4>();
  testRules<96, 4>();
  testRules<128, 4>();
  testRules<512, 4>();
  testRules<1024, 4>();
  testRules<1024, 8>();
  std::printf("PASS\n");
  return 0;
}
