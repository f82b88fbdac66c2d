// SPDX-License-Identifier: Apache-2.0
// A barrier of all blocks by a counter in global memory; the grid has as many blocks as the
// occupancy query allows, at most 64.
#include <algorithm>

#include "../check.h"

__device__ unsigned arrived;

__device__ void gridBarrier(unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*(volatile unsigned*)&arrived < goal)
      ;
    __threadfence();
  }
  __syncthreads();
}

// Each turn every cell takes the sum of itself and its right neighbour, which another block may
// own.
__global__ void relax(volatile int* from, volatile int* to, int n, int turns) {
  for (int turn = 0; turn < turns; ++turn) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      to[i] = (from[i] + from[(i + 1) % n]) % 10007;
    gridBarrier((turn + 1) * gridDim.x);
    volatile int* swapped = from;
    from = to;
    to = swapped;
  }
}

int main() {
  int perMultiprocessor = 0, multiprocessors = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, relax, 64, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int blocks = std::min(perMultiprocessor * multiprocessors, 64), n = 3000, turns = 7;
  std::vector<int> cells(n), next(n);
  for (int i = 0; i < n; ++i)
    cells[i] = (i * 37) % 1000;
  DeviceArray<int> a(cells), b(n);
  relax<<<blocks, 64>>>(a, b, n, turns);
  CHECK_LAUNCH();
  for (int turn = 0; turn < turns; ++turn) {
    for (int i = 0; i < n; ++i)
      next[i] = (cells[i] + cells[(i + 1) % n]) % 10007;
    cells.swap(next);
  }
  expectArray("cells", (turns % 2 ? b : a).read(), [&](size_t i) { return cells[i]; });
  return finish();
}
