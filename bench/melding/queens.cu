// SPDX-License-Identifier: Apache-2.0
// Counts placements of queens below given first rows; forward steps and steps back are two arms of
// a loop.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int size = 10, mostRows = 16;

__global__ void count(const unsigned* starts, unsigned* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned all = (1u << size) - 1;
  unsigned columns[mostRows], left[mostRows], right[mostRows], free[mostRows];
  const unsigned a = 1u << (starts[i] % size), b = 1u << (starts[i] / size);
  unsigned solutions = 0;
  if ((a & (b | b << 1 | b >> 1)) == 0) {
    int row = 0;
    columns[0] = a | b;
    left[0] = (a << 2 | b << 1) & all;
    right[0] = a >> 2 | b >> 1;
    free[0] = all & ~(columns[0] | left[0] | right[0]);
    while (row >= 0) {
      if (free[row] != 0) {
        const unsigned queen = free[row] & (0u - free[row]);
        free[row] ^= queen;
        columns[row + 1] = columns[row] | queen;
        left[row + 1] = ((left[row] | queen) << 1) & all;
        right[row + 1] = (right[row] | queen) >> 1;
        free[row + 1] = all & ~(columns[row + 1] | left[row + 1] | right[row + 1]);
        ++row;
      } else {
        solutions += columns[row] == all;
        --row;
      }
    }
  }
  found[i] = solutions;
}

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 8;
  std::vector<unsigned> starts;
  for (int r = 0; r < repeats; ++r)
    for (unsigned i = 0; i < unsigned(size * size); ++i)
      starts.push_back(i * 37 % unsigned(size * size));
  const int n = int(starts.size());
  std::vector<unsigned> found(starts.size());
  unsigned *in, *out;
  cudaMalloc(&in, starts.size() * sizeof(unsigned));
  cudaMalloc(&out, starts.size() * sizeof(unsigned));
  cudaMemcpy(in, starts.data(), starts.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  count<<<(n + 63) / 64, 64>>>(in, out, n);
  cudaMemcpy(found.data(), out, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (const unsigned each : found)
    sum += each;
  std::printf("check %llu\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
