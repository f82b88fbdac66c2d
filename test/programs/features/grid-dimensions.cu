// SPDX-License-Identifier: Apache-2.0
// Grids and blocks of one, two and three dimensions with odd sizes: indices, sizes, linear thread
// numbers, lanes.
#include "../check.h"

struct Place {
  uint3 thread, block;
  dim3 blockSize, gridSize;
  int lane;
};

__global__ void run(Place* places) {
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  // The lane is the position in the active mask of a full warp, so threads are counted x first.
  const int lanes = min(32, threads - thread / 32 * 32);
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  const int first = __shfl_sync(mask, thread, 0);
  places[block * threads + thread] = Place{threadIdx, blockIdx, blockDim, gridDim, thread - first};
}

void check(dim3 grid, dim3 block) {
  const int threads = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  DeviceArray<Place> device(threads * blocks);
  run<<<grid, block>>>(device);
  CHECK_LAUNCH();
  const std::vector<Place> places = device.read();
  for (int i = 0; i < threads * blocks; ++i) {
    const Place& p = places[i];
    const unsigned t = i % threads, b = i / threads;
    expectEqual("threadIdx.x", p.thread.x, t % block.x);
    expectEqual("threadIdx.y", p.thread.y, t / block.x % block.y);
    expectEqual("threadIdx.z", p.thread.z, t / block.x / block.y);
    expectEqual("blockIdx.x", p.block.x, b % grid.x);
    expectEqual("blockIdx.y", p.block.y, b / grid.x % grid.y);
    expectEqual("blockIdx.z", p.block.z, b / grid.x / grid.y);
    expectEqual("lane", p.lane, int(t % 32));
    expectTrue("blockDim",
               p.blockSize.x == block.x && p.blockSize.y == block.y && p.blockSize.z == block.z);
    expectTrue("gridDim",
               p.gridSize.x == grid.x && p.gridSize.y == grid.y && p.gridSize.z == grid.z);
  }
}

int main() {
  check(1, 1);
  check(7, 33);
  check(dim3(3, 5), dim3(17, 3));
  check(dim3(2, 3, 4), dim3(5, 7, 3));
  check(dim3(1, 1, 9), dim3(1, 2, 64));
  check(dim3(2), dim3(1024));
  return finish();
}
