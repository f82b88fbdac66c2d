// RUN: %heddle fix %s --only reshape --form "packs of 8" --line 9 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of 4x4 threads that share stand beside each other along z.
#include "../results.cuh"

__global__ void transpose(unsigned* out) {
  __shared__ unsigned tile[4][4];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x + 100 * y;
  __syncthreads();
  out[y * 44 + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  Words words(44 * 12);
  dim3 grid(11, 3), block(4, 4);
  transpose<<<grid, block>>>(words.out);
  words.print();
}

// CHECK: __shared__ unsigned tile[8][4][4];
// CHECK: const int x = block * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
// CHECK: tile[threadIdx.z][threadIdx.y][threadIdx.x] = x + 100 * y;
// CHECK: transpose<<<dim3((grid.x + 7) / 8, grid.y, grid.z), dim3(4, 4, 8)>>>(words.out, grid.x);
