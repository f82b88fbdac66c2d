// RUN: %heddle fix %s --only spread --line 14 --block 16,8 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Rows of less than a warp: its lanes are counted through them. Each asks in its own way.
#include "../results.cuh"

__global__ void sums(unsigned* out) {
  __shared__ unsigned part[8][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  part[ty][tx] = tx * 77 + ty * 2654435761u;
  __syncthreads();
  if (tx == 0 && ty == 0) {
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i)
      for (int k = 0; k < 16; ++k)
        sum += part[i][k];
    out[3] = sum;
  }
  __syncthreads();
  out[ty * 16 + tx] += part[ty][tx] & 15;
}

int main() { printResults(sums, 1, dim3(16, 8)); }

// CHECK:       if (ty * blockDim.x + tx < 32) {
// CHECK-NEXT:    assert(blockDim.z == 1);
// CHECK-NEXT:    unsigned sum = 0;
// CHECK-NEXT:    heddle::spread(0, 8, heddle::sum(sum), [&](int i, unsigned& sum) {
// CHECK-NEXT:      for (int k = 0; k < 16; ++k)
// CHECK-NEXT:        sum += part[i][k];
// CHECK-NEXT:    });
// CHECK-NEXT:    if (tx == 0 && ty == 0)
// CHECK-NEXT:      out[3] = sum;
// CHECK-NEXT:  }
