// RUN: %heddle fix %s --only meld --line 19 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Two roles by thread number: one half of the threads takes a row of the tile, the other a column.
// Each writes shared memory that only its own role uses in this branch.
#include "../results.cuh"

__global__ void eliminate(unsigned* out) {
  __shared__ float pivot[32][32], row[32][32], column[32][32];
  const int tx = threadIdx.x;
  for (int k = tx; k < 32 * 32; k += 64) {
    pivot[k / 32][k % 32] = float(k * 7 % 13) + 1;
    row[k / 32][k % 32] = float(k % 5);
    column[k / 32][k % 32] = float(k % 3);
  }
  __syncthreads();
  if (tx % 32 < 16) {
    const int c = tx % 32 + tx / 32 * 16;
    for (int i = 1; i < 32; ++i)
      for (int j = 0; j < i; ++j)
        row[i][c] = fmaf(-pivot[i][j], row[j][c], row[i][c]) * 0.25f;
  } else {
    const int c = tx % 32 - 16 + tx / 32 * 16;
    for (int i = 1; i < 32; ++i)
      for (int j = 0; j < i; ++j)
        column[i][c] = fmaf(-pivot[i][j], column[j][c], column[i][c]) * 0.25f;
  }
  __syncthreads();
  out[tx] = __float_as_uint(row[31][tx % 32] + column[31][tx % 32]);
}

int main() { printResults(eliminate); }

// CHECK:          const bool first = tx % 32 < 16;
// CHECK-NEXT:     const auto array = first ? row : column;
// CHECK-NEXT:     const int c = (first ? tx % 32 : tx % 32 - 16) + tx / 32 * 16;
// CHECK-NEXT:     for (int i = 1; i < 32; ++i)
// CHECK-NEXT:       for (int j = 0; j < i; ++j)
// CHECK-NEXT:         array[i][c] = fmaf(-pivot[i][j], array[j][c], array[i][c]) * 0.25f;
// CHECK-NEXT:   }
