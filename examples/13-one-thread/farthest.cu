// SPDX-License-Identifier: Apache-2.0
//
// The first thread of a block looks through what all of them have found, alone: 31 lanes of its
// warp are empty, and the other warps are done.
//
//   heddle fix examples/13-one-thread/farthest.cu
#include "../common.h"

__global__ void farthest(const unsigned* seeds, int* farthestOf) {
  __shared__ int x[512], y[512];
  unsigned state = seeds[blockIdx.x * blockDim.x + threadIdx.x];
  for (int k = threadIdx.x; k < 512; k += blockDim.x) {
    x[k] = static_cast<int>(draw(state) % 1000);
    y[k] = static_cast<int>(draw(state) % 1000);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int distance = 0;
    for (int k = 1; k < 512; ++k) {
      const int across = x[k] - x[0], along = y[k] - y[0];
      distance = max(distance, across * across + along * along);
    }
    farthestOf[blockIdx.x] = distance;
  }
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 8192;
  const int threads = 256;
  const unsigned* seeds = toDevice(makeSeeds(blocks * threads));
  int* farthestOf = toDevice(std::vector<int>(blocks));
  farthest<<<blocks, threads>>>(seeds, farthestOf);
  CHECK(cudaGetLastError());
  printMean("blocks", toHost(farthestOf, blocks));
}
