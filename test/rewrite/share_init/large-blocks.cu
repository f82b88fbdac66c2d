// RUN: not %heddle fix %s --only share-init --budget 600 < /dev/null > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --only share-init --budget 600 -DTHREADS=512 < /dev/null > %t && FileCheck-19 --check-prefix SMALLER %s < %t
//
// With more registers a block of 1024 threads would not start.
#include <curand_kernel.h>

#include <cstdio>

#ifndef THREADS
#define THREADS 1024
#endif

__global__ void setup(curandState* states) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1, thread, 0, &states[thread]);
}

int main() {
  curandState* states;
  cudaMalloc(&states, 4096 * sizeof(curandState));
  setup<<<4, THREADS>>>(states);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

// CHECK:      large-blocks.cu:13  share-init {{.*}} refuse [too-many-registers]
// CHECK-NEXT: setup has blocks of 1024 threads and {{[0-9]+}} registers a thread
// CHECK:      its lanes part in curand_init, which lies elsewhere
// SMALLER:    +  heddle::curand_init(1, thread, 0, &states[thread]);
// SMALLER:    share-init {{.*}} apply
