// SPDX-License-Identifier: Apache-2.0
//
// What a kernel leaves, in one line: a rewritten program must print the same.
#pragma once

#include <cstdio>
#include <vector>

/// Each thread has a word.
template <class Kernel> void printResults(Kernel kernel, dim3 grid = 1, dim3 block = 64) {
  const std::size_t threads = std::size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
  constexpr unsigned hashPrime = 16777619u;
  unsigned* out = nullptr;
  cudaMalloc(&out, threads * sizeof(unsigned));
  cudaMemset(out, 0, threads * sizeof(unsigned));
  kernel<<<grid, block>>>(out);
  std::vector<unsigned> results(threads);
  const cudaError_t copied =
      cudaMemcpy(results.data(), out, threads * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned hash = 2166136261u;
  for (const unsigned each : results)
    hash = (hash ^ each) * hashPrime;
  std::printf("results: %s, %08x, first %u, last %u\n", cudaGetErrorString(copied), hash,
              results.front(), results.back());
  cudaFree(out);
}
