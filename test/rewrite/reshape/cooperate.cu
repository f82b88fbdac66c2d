// RUN: %heddle fix %s --only reshape --form "packs of 8" --line 12 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Threads of a block share memory; the kernel is a template, and is declared in front.
#include "../results.cuh"

template <typename T> __global__ void mirror(T* out, int rounds);

template <typename T>
__global__ void mirror(T* out, int rounds) {
  __shared__ T part[20], last;
  for (int round = 0; round < rounds; ++round) {
    part[threadIdx.x] = out[blockIdx.x * 20 + threadIdx.x] + blockIdx.x + blockIdx.y;
    if (threadIdx.x == 19)
      last = part[threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 20 + threadIdx.x] = part[19 - threadIdx.x] * 3 + last;
    __syncthreads();
  }
}

int main() {
  Words words(11 * 20);
  mirror<unsigned><<<dim3(11, 1), 20>>>(words.out, 3);
  words.print();
}

// CHECK:      template <typename T> __global__ void mirror(T* out, int rounds, unsigned blocks);
// CHECK:      __global__ void mirror(T* out, int rounds, unsigned blocks) {
// CHECK:        __shared__ T part[8][20], last[8];
// CHECK:          part[threadIdx.y][threadIdx.x] = out[block * 20 + threadIdx.x] + block + blockIdx.y;
// CHECK:            last[threadIdx.y] = part[threadIdx.y][threadIdx.x];
// CHECK:          out[block * 20 + threadIdx.x] = part[threadIdx.y][19 - threadIdx.x] * 3 + last[threadIdx.y];
// CHECK:        mirror<unsigned><<<dim3((11 + 7) / 8, 1), dim3(20, 8)>>>(words.out, 3, 11);
