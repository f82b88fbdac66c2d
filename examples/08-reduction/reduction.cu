// SPDX-License-Identifier: Apache-2.0
//
// The first rung of Gholami's ladder: sums of neighbours in shared memory. The threads that still
// add lie ever further apart, so that every warp runs every step with fewer and fewer lanes.
//
//   heddle fix examples/08-reduction/reduction.cu
#include "../common.h"

__global__ void blockSums(const float* in, float* sums) {
  __shared__ float partial[256];
  const unsigned thread = threadIdx.x;
  partial[thread] = in[blockIdx.x * blockDim.x + thread];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (thread % (2 * stride) == 0)
      partial[thread] += partial[thread + stride];
    __syncthreads();
  }
  if (thread == 0)
    sums[blockIdx.x] = partial[0];
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 49152;
  const int threads = 256;
  std::vector<float> in(static_cast<size_t>(blocks) * threads);
  unsigned state = 1;
  for (float& value : in) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 16777216.0f;
  }
  const float* deviceIn = toDevice(in);
  float* sums = toDevice(std::vector<float>(blocks));
  blockSums<<<blocks, threads>>>(deviceIn, sums);
  CHECK(cudaGetLastError());
  printMean("sums", toHost(sums, blocks));
}
