// RUN: %heddle fix %s --only reshape --form "packs of 16" --line 9 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of 16 threads add what they have in shared memory.
#include "../results.cuh"

__global__ void blockSums(unsigned* out, int n) {
  __shared__ unsigned part[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? i * i : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

int main() {
  Words words(40);
  const int n = 600;
  blockSums<<<(n + 15) / 16, 16>>>(words.out, n);
  words.print();
}

// CHECK: part[threadIdx.y][threadIdx.x] += part[threadIdx.y][threadIdx.x + s];
// CHECK: out[block] = part[threadIdx.y][0];
// CHECK: blockSums<<<((n + 15) / 16 + 15) / 16, dim3(16, 16)>>>(words.out, n, (n + 15) / 16);
