// RUN: %heddle fix %s --only refill --form "refilled<4, 8>" --line 20 --block 8,8,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Items of two dimensions keep the code that computes them; a table in shared memory stays in front. A `return` in the loop
// ends the item.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  __shared__ int limits[64];
  const int own = threadIdx.y * 8 + threadIdx.x;
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  limits[own] = own % 13 * 9;
  __syncthreads();
  if (x > 28)
    return;
  int turns = 0;
  float z = 0;
  do {
    z = z * z + x * 0.01f - y * 0.02f;
    if (turns == 31)
      return;
    ++turns;
  } while (z < 2 && turns < limits[(x + y) & 63]);
  out[y * 32 + x] = turns;
}

int main() { printResults(apply, dim3(4, 3), dim3(8, 8)); }

// CHECK:        const int own = threadIdx.y * 8 + threadIdx.x;
// CHECK-NEXT:   limits[own] = own % 13 * 9;
// CHECK-NEXT:   __syncthreads();
// CHECK-NEXT:   int x;
// CHECK-NEXT:   int y;
// CHECK-NEXT:   int turns;
// CHECK-NEXT:   float z;
// CHECK-NEXT:   heddle::refill_tiles_at<8, 8, 1, 4, 8>(
// CHECK-NEXT:       [&](uint3 blockIdx, uint3 threadIdx) {
// CHECK-NEXT:         x = blockIdx.x * 8 + threadIdx.x; y = blockIdx.y * 8 + threadIdx.y;
// CHECK-NEXT:         if (x > 28)
// CHECK-NEXT:           return heddle::flow::skip;
// CHECK-NEXT:         turns = 0;
// CHECK-NEXT:         z = 0;
// CHECK-NEXT:         return heddle::flow::proceed;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](uint3 blockIdx, uint3 threadIdx) {
// CHECK-NEXT:         z = z * z + x * 0.01f - y * 0.02f;
// CHECK-NEXT:         if (turns == 31)
// CHECK-NEXT:           return heddle::flow::skip;
// CHECK-NEXT:         ++turns;
// CHECK-NEXT:         return z < 2 && turns < limits[(x + y) & 63] ? heddle::flow::proceed : heddle::flow::leave;
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](uint3 blockIdx, uint3 threadIdx) { out[y * 32 + x] = turns; });
// CHECK-NEXT: }
