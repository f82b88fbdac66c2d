// SPDX-License-Identifier: Apache-2.0
// Sorts segments of 256 numbers in shared memory by a bitonic network whose two directions are two
// arms.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int segment = 256;

__global__ void sortSegments(unsigned* keys) {
  __shared__ unsigned tile[segment];
  const int t = threadIdx.x;
  tile[t] = keys[blockIdx.x * segment + t];
  __syncthreads();
  for (int size = 2; size <= segment; size *= 2) {
    for (int apart = size / 2; apart > 0; apart /= 2) {
      const int with = t ^ apart;
      if (with > t) {
        if ((t & size) == 0) {
          if (tile[t] > tile[with]) {
            const unsigned kept = tile[t];
            tile[t] = tile[with];
            tile[with] = kept;
          }
        } else {
          if (tile[t] < tile[with]) {
            const unsigned kept = tile[t];
            tile[t] = tile[with];
            tile[with] = kept;
          }
        }
      }
      __syncthreads();
    }
  }
  keys[blockIdx.x * segment + t] = tile[t];
}

int main(int argc, char** argv) {
  const int segments = argc > 1 ? std::atoi(argv[1]) : 512;
  std::vector<unsigned> keys(std::size_t(segments) * segment);
  unsigned state = 7;
  for (unsigned& key : keys)
    key = state = state * 1664525u + 1013904223u;
  unsigned* device;
  cudaMalloc(&device, keys.size() * sizeof(unsigned));
  cudaMemcpy(device, keys.data(), keys.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  sortSegments<<<segments, segment>>>(device);
  cudaMemcpy(keys.data(), device, keys.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    sum = sum * 31 + keys[i];
  std::printf("check %016llx\n", sum);
  cudaFree(device);
  return 0;
}
