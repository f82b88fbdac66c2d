// SPDX-License-Identifier: Apache-2.0
//
// A program asks what its launches did with their lanes; on a GPU nobody counts.
#include <heddle/account.cuh>

#include <cstdio>
#include <cstring>

__global__ void split(float* values, int lanes) {
  if (static_cast<int>(threadIdx.x) < lanes)
    for (int i = 0; i < 100; ++i)
      values[threadIdx.x] = values[threadIdx.x] * 0.5f + 1.0f;
}

int main() {
  float* values;
  cudaMalloc(&values, 32 * sizeof(float));
  cudaMemset(values, 0, 32 * sizeof(float));
  heddle::lane_account whole, half, none;
  split<<<1, 32>>>(values, 32);
  const bool counts = heddle::read_account(whole);
  split<<<1, 32>>>(values, 16);
  heddle::read_account(half);
  heddle::read_account(none);
  const bool holds =
      counts ? whole.efficiency() == 1.0 && half.efficiency() > 0.5 && half.efficiency() < 0.6 &&
                   half.lost_to_worst == half.lost_to_branches && half.lost_to_branches > 1000 &&
                   half.used + half.lost_to_branches == 32 * half.warp_instructions &&
                   std::strcmp(half.worst, "lane-account.cu:10") == 0 && none.warp_instructions == 0
             : whole.warp_instructions == 0 && whole.worst[0] == 0;
  std::puts(holds ? "PASS" : "FAIL");
  return holds ? 0 : 1;
}
