// RUN: %heddle fix %s --only reshape --form "packs of 4" --line 11 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The size of the block stands in the kernel, and exactly all threads write.
#include "../results.cuh"

#define THREADS 48

__global__ void number(unsigned* out) {
  out[blockIdx.x * THREADS + threadIdx.x] = threadIdx.x + gridDim.y;
}

int main() {
  Words words(9 * THREADS);
  dim3 grid(9);
  number<<<grid, THREADS>>>(words.out);
  words.print();
}

// CHECK:      __global__ void number(unsigned* out, unsigned blocks) {
// CHECK-NEXT:   const unsigned block = blockIdx.x * blockDim.y + threadIdx.y;
// CHECK:        out[block * THREADS + threadIdx.x] = threadIdx.x + gridDim.y;
// CHECK:        number<<<(grid.x + 3) / 4, dim3(THREADS, 4)>>>(words.out, grid.x);
