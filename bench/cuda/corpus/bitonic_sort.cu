// SPDX-License-Identifier: Apache-2.0
// Bitonic sort: within blocks in shared memory, then merges of blocks through global memory.
#include "common.h"
#include <algorithm>

const int CHUNK = 512;

__global__ void sortChunk(unsigned* data) {
  __shared__ unsigned keys[CHUNK];
  unsigned* mine = data + blockIdx.x * CHUNK;
  keys[threadIdx.x] = mine[threadIdx.x];
  keys[threadIdx.x + CHUNK / 2] = mine[threadIdx.x + CHUNK / 2];
  bool blockUp = (blockIdx.x & 1) == 0;
  for (int size = 2; size <= CHUNK; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      bool up = size == CHUNK ? blockUp : (i & size) == 0;
      if ((keys[i] > keys[i + stride]) == up) {
        unsigned held = keys[i];
        keys[i] = keys[i + stride];
        keys[i + stride] = held;
      }
    }
  __syncthreads();
  mine[threadIdx.x] = keys[threadIdx.x];
  mine[threadIdx.x + CHUNK / 2] = keys[threadIdx.x + CHUNK / 2];
}

__global__ void mergeFar(unsigned* data, int size, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = 2 * t - (t & (stride - 1));
  bool up = (i & size) == 0;
  unsigned a = data[i], b = data[i + stride];
  if ((a > b) == up) {
    data[i] = b;
    data[i + stride] = a;
  }
}

__global__ void mergeNear(unsigned* data, int size) {
  __shared__ unsigned keys[CHUNK];
  unsigned* mine = data + blockIdx.x * CHUNK;
  keys[threadIdx.x] = mine[threadIdx.x];
  keys[threadIdx.x + CHUNK / 2] = mine[threadIdx.x + CHUNK / 2];
  bool up = (blockIdx.x * CHUNK & size) == 0;
  for (int stride = CHUNK / 2; stride > 0; stride /= 2) {
    __syncthreads();
    int i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    unsigned a = keys[i], b = keys[i + stride];
    keys[i] = up ? min(a, b) : max(a, b);
    keys[i + stride] = up ? max(a, b) : min(a, b);
  }
  __syncthreads();
  mine[threadIdx.x] = keys[threadIdx.x];
  mine[threadIdx.x + CHUNK / 2] = keys[threadIdx.x + CHUNK / 2];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2048);
  Random random(5);
  std::vector<unsigned> keys(n);
  for (unsigned& key : keys)
    key = random.next();
  unsigned* data = upload(keys);
  sortChunk<<<n / CHUNK, CHUNK / 2>>>(data);
  for (int size = 2 * CHUNK; size <= n; size *= 2) {
    for (int stride = size / 2; stride >= CHUNK; stride /= 2)
      mergeFar<<<n / 512, 256>>>(data, size, stride);
    mergeNear<<<n / CHUNK, CHUNK / 2>>>(data, size);
  }
  std::vector<unsigned> got = download(data, n);
  std::sort(keys.begin(), keys.end());
  return verdict(got == keys);
}
