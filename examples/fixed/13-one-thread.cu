// SPDX-License-Identifier: Apache-2.0
//
// The first thread of a block looks through what all of them have computed, alone: 31 lanes of its
// warp are empty, and the other warps are done.
//
//   heddle fix examples/13-one-thread/best.cu
#include "../common.h"
#include <cassert>
#include <heddle/rows.cuh>

__global__ void bestScores(const unsigned* seeds, int* best) {
  __shared__ int scores[256];
  unsigned state = seeds[blockIdx.x * blockDim.x + threadIdx.x];
  scores[threadIdx.x] = static_cast<int>(draw(state) % 100000);
  __syncthreads();
  if (threadIdx.x < 32) {
    assert(blockDim.x % 32 == 0);
    int highest = 0;
    heddle::spread(0, 256, heddle::max_of(highest), [&](int k, int& highest) {
      highest = max(highest, scores[k]);
    });
    if (threadIdx.x == 0)
      best[blockIdx.x] = highest;
  }
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 8192;
  const int threads = 256;
  const unsigned* seeds = toDevice(makeSeeds(blocks * threads));
  int* best = toDevice(std::vector<int>(blocks));
  bestScores<<<blocks, threads>>>(seeds, best);
  CHECK(cudaGetLastError());
  printMean("blocks", toHost(best, blocks));
}
