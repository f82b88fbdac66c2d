// RUN: %heddle fix %s --only reshape --form "packs of 8" --line 9 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A loop in strides of the grid keeps its stride: each thread has the same items.
#include "../results.cuh"

__global__ void sums(unsigned* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  unsigned sum = 0;
  for (int i = first; i < n; i += stride)
    sum = sum * 31 + i;
  out[first] = sum;
}

int main() {
  Words words(6 * 100);
  sums<<<6, 100>>>(words.out, 2345);
  words.print();
}

// CHECK: const int first = block * blockDim.x + threadIdx.x;
// CHECK: const int stride = blocks * blockDim.x;
// CHECK: sums<<<(6 + 7) / 8, dim3(100, 8)>>>(words.out, 2345, 6);
