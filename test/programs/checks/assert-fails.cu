// SPDX-License-Identifier: Apache-2.0
// An assertion that one thread of the second block breaks.
// EXPECT: assertion failed in block 1, thread 8: assert(in[i] >= 0 && "weights are not negative");
// STOPS: assertion `in[i] >= 0 && "weights are not negative"` failed
#include <cassert>
#include <cuda_runtime.h>

__global__ void root(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(in[i] >= 0 && "weights are not negative"); // HERE
  out[i] = sqrtf(in[i]);
}

int main() {
  float *in = nullptr, *out = nullptr, host[64] = {};
  host[40] = -1.0f;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  root<<<2, 32>>>(in, out);
  return cudaDeviceSynchronize() == cudaErrorAssert ? 1 : 0;
}
