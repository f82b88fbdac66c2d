// SPDX-License-Identifier: Apache-2.0
// Times many configurations of one kernel in turns, by events. A kernel that only waits runs ahead of each sample, so that the GPU
// has raised its clock and the host has queued all launches before the first begins.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

struct Configuration {
  std::string key;
  const void* kernel;
  dim3 grid, block; ///< as the program has them
  dim3 wanted;      ///< threads of a block; there are as many blocks as cover the same threads
  std::function<void(dim3, dim3)> launch;
};

static __global__ void waitFor(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

inline dim3 coveringGrid(const Configuration& each) {
  const auto cover = [](unsigned blocks, unsigned threads, unsigned wanted) { return (blocks * threads + wanted - 1) / wanted; };
  return dim3(cover(each.grid.x, each.block.x, each.wanted.x), cover(each.grid.y, each.block.y, each.wanted.y),
              cover(each.grid.z, each.block.z, each.wanted.z));
}

/// Nanoseconds of a launch; below 0: it cannot be launched.
inline float timeOnce(const Configuration& each, int launches) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (begin == nullptr) {
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
  }
  const dim3 grid = coveringGrid(each);
  waitFor<<<1024, 32>>>(300000);
  cudaEventRecord(begin);
  for (int i = 0; i < launches; ++i)
    each.launch(grid, each.wanted);
  cudaEventRecord(end);
  const cudaError_t failed = cudaGetLastError();
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  if (failed != cudaSuccess || cudaGetLastError() != cudaSuccess)
    return -1;
  return milliseconds * 1e6f / launches;
}

inline int numberOf(const char* name, int standard) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : standard;
}

inline void everyConfiguration(const std::vector<Configuration>& all) {
  const int rounds = numberOf("TUNE_ROUNDS", 5), launches = numberOf("TUNE_LAUNCHES", 4);
  std::vector<std::vector<float>> times(all.size());
  for (int i = 0; i < 50; ++i)
    waitFor<<<1024, 32>>>(10000000);
  cudaDeviceSynchronize();
  for (int round = 0; round <= rounds; ++round)
    for (size_t i = 0; i < all.size(); ++i) {
      const float time = timeOnce(all[i], launches);
      if (round > 0) // the first warms up
        times[i].push_back(time);
    }
  for (size_t i = 0; i < all.size(); ++i) {
    cudaFuncAttributes needs = {};
    int blocks = 0;
    cudaFuncGetAttributes(&needs, all[i].kernel);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, all[i].kernel, int(all[i].wanted.x * all[i].wanted.y * all[i].wanted.z), 0);
    std::printf("#%s\t%d\t%d\t%d\t", all[i].key.c_str(), needs.numRegs, int(needs.localSizeBytes), blocks);
    for (const float time : times[i])
      std::printf("%.1f ", time);
    std::printf("\n");
  }
}
