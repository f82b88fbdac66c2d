// SPDX-License-Identifier: Apache-2.0
// A struct that asks for 16 bytes is written to an address that is a multiple of 8.
// STOPS: which is no multiple of 16
#include <cuda_runtime.h>

struct Body {
  float4 place;
  double2 speed;
  int name;
};

__global__ void put(char* to, Body body) {
  body.name = threadIdx.x;
  *reinterpret_cast<Body*>(to + sizeof(Body) * threadIdx.x + 8) = body; // HERE
}

int main() {
  char* to = nullptr;
  cudaMalloc(&to, 64 * sizeof(Body));
  put<<<1, 32>>>(to, Body{});
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
