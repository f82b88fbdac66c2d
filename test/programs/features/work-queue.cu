// SPDX-License-Identifier: Apache-2.0
// Persistent blocks that take work from a queue until it is empty; the work adds more work, as a
// tree grows.
#include "../check.h"

__device__ int head, tail, pending, visited;

// One warp leader at a time takes an item; a whole block works on it.
__global__ void grow(volatile int* queue, int* depthCount, int maxDepth) {
  __shared__ int item;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) {
      item = -1;
      while (true) {
        const int at = *(volatile int*)&head;
        if (at < *(volatile int*)&tail) {
          if (atomicCAS(&head, at, at + 1) == at) {
            while ((item = queue[at]) < 0) // reserved, not written yet
              ;
            break;
          }
        } else if (*(volatile int*)&pending == 0) {
          break;
        }
      }
    }
    __syncthreads();
    const int depth = item;
    if (depth < 0)
      return;
    if (threadIdx.x < 3 && depth < maxDepth) { // three children each
      atomicAdd(&pending, 1);
      const int at = atomicAdd(&tail, 1);
      __threadfence();
      queue[at] = depth + 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&depthCount[depth], 1);
      atomicAdd(&visited, 1);
      __threadfence();
      atomicSub(&pending, 1);
    }
  }
}

int main() {
  const int maxDepth = 5, nodes = (729 - 1) / 2; // 1 + 3 + ... + 3^5
  std::vector<int> start(nodes, -1);
  start[0] = 0;
  DeviceArray<int> queue(start), depths(std::vector<int>(maxDepth + 1, 0));
  const int one = 1;
  CHECK_CUDA(cudaMemcpyToSymbol(tail, &one, sizeof one));
  CHECK_CUDA(cudaMemcpyToSymbol(pending, &one, sizeof one));
  grow<<<8, 32>>>(queue, depths, maxDepth);
  CHECK_LAUNCH();
  int all = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&all, visited, sizeof all));
  expectEqual("nodes visited", all, nodes);
  expectArray("nodes of a depth", depths.read(),
              [](size_t d) { return int(std::pow(3.0, double(d)) + 0.5); });
  return finish();
}
