// SPDX-License-Identifier: Apache-2.0
//
// What a kernel leaves, in one line: a rewritten program must print the same.
#pragma once

#include <cstdio>
#include <vector>

/// What a kernel writes.
struct Words {
  explicit Words(std::size_t count) : results(count) {
    cudaMalloc(&out, count * sizeof(unsigned));
    cudaMemset(out, 0, count * sizeof(unsigned));
  }
  void print() {
    constexpr unsigned hashPrime = 16777619u;
    const cudaError_t copied =
        cudaMemcpy(results.data(), out, results.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    unsigned hash = 2166136261u;
    for (const unsigned each : results)
      hash = (hash ^ each) * hashPrime;
    std::printf("results: %s, %08x, first %u, last %u\n", cudaGetErrorString(copied), hash,
                results.front(), results.back());
    cudaFree(out);
  }

  unsigned* out = nullptr;
  std::vector<unsigned> results;
};

/// Each thread has a word.
template <class Kernel> void printResults(Kernel kernel, dim3 grid = 1, dim3 block = 64) {
  Words words(std::size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z);
  kernel<<<grid, block>>>(words.out);
  words.print();
}
