// RUN: %refused fix %s --only schedule-iterations --line 8 --unproven > %t && FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
// In front of the branch, too.
__device__ int walk(int x) {
  while (x > 9) {
    if (x == 33)
      return 5;
    if (x & 1)
      x -= 3;
    else
      x /= 2;
  }
  return x;
}

__global__ void kernel(int* out) { out[threadIdx.x] = walk(threadIdx.x * 7); }

// CHECK: :8: schedule-iterations refused: line 7 returns a value from inside the loop [value-returned]
