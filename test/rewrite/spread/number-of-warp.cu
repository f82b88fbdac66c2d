// RUN: %heddle fix %s --only spread --line 17 --block 64 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// What the number of the warp chooses, its bounds too, is the same for its lanes.
#include "../results.cuh"

__device__ int start[5] = {0, 20, 61, 64, 64};

__global__ void ofWarps(unsigned* out) {
  const int number = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = number / 32;
  out[number] = threadIdx.x * 2654435761u >> 9;
  __syncthreads();
  const int place = number % 7;
  if (lane == 0) {
    unsigned sum = out[start[warp]];
    for (int k = start[warp]; k < start[warp + 1]; ++k)
      sum += out[k] + (threadIdx.x >> 5);
    out[number] = sum + place;
  }
}

int main() { printResults(ofWarps, 1, 64); }

// CHECK:         assert(blockDim.x % 32 == 0);
// CHECK-NEXT:    unsigned sum = out[start[warp]];
// CHECK-NEXT:    heddle::spread(heddle::of_first_lane(start[warp]), heddle::of_first_lane(start[warp + 1]),
// CHECK-NEXT:        heddle::sum(sum), [&](int k, unsigned& sum) {
// CHECK-NEXT:      sum += out[k] + (threadIdx.x >> 5);
// CHECK-NEXT:    });
// CHECK-NEXT:    if (lane == 0)
// CHECK-NEXT:      out[number] = sum + place;
