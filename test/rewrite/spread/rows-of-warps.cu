// RUN: %heddle fix %s --only spread --line 16 --block 32,4 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The first thread of each row, and what is chosen by the row.
#include "../results.cuh"

__global__ void rowSums(unsigned* out) {
  __shared__ unsigned part[4][32];
  const unsigned first = blockIdx.x * 128;
  part[threadIdx.y][threadIdx.x] = threadIdx.x * 77 + threadIdx.y * 2654435761u;
  out[first + threadIdx.y * 32 + threadIdx.x] = 7;
  __syncthreads();
  const unsigned row = threadIdx.y;
  if (threadIdx.x == 0) {
    unsigned most = part[row][0], sum = 0;
    for (int k = 0; k < 32; ++k) {
      most = max(most, part[threadIdx.y][k]);
      sum += part[row][k];
    }
    out[first + row * 32] = most + sum;
  }
}

int main() { printResults(rowSums, 2, dim3(32, 4)); }

// CHECK:       if (threadIdx.x < 32) {
// CHECK-NEXT:    assert(blockDim.x % 32 == 0);
// CHECK-NEXT:    unsigned most = part[row][0], sum = 0;
// CHECK-NEXT:    heddle::spread(0, 32, heddle::own(row), heddle::max_of(most), heddle::sum(sum),
// CHECK-NEXT:        [&](int k, const unsigned& row, unsigned& most, unsigned& sum) {
// CHECK-NEXT:      most = max(most, part[threadIdx.y][k]);
// CHECK-NEXT:      sum += part[row][k];
// CHECK-NEXT:    });
// CHECK-NEXT:    if (threadIdx.x == 0)
// CHECK-NEXT:      out[first + row * 32] = most + sum;
// CHECK-NEXT:  }
