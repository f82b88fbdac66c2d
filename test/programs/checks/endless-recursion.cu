// SPDX-License-Identifier: Apache-2.0
// A recursion whose end is never reached: the stack of the thread is used up.
// EXPECT: stack overflow, a chain of calls to depth(): return 1 + depth(nodes, nodes[at]) % (at + 2);
// STOPS: stack overflow: the call of 'depth'
#include <cuda_runtime.h>

__device__ __noinline__ int depth(const int* nodes, int at) {
  if (at < 0)
    return 0;
  return 1 + depth(nodes, nodes[at]) % (at + 2); // HERE
}

__global__ void run(const int* nodes, int* out) {
  out[threadIdx.x] = depth(nodes, threadIdx.x);
}

int main() {
  int *nodes = nullptr, *out = nullptr;
  int host[4] = {1, 2, 3, 1}; // a circle where a list was meant
  cudaMalloc(&nodes, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(nodes, host, sizeof host, cudaMemcpyHostToDevice);
  run<<<1, 4>>>(nodes, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
