// SPDX-License-Identifier: Apache-2.0
// Scans a key column for a range and decodes the packed date of the rows that fall in it.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void scanDecode(const unsigned* keys, const unsigned* packed, unsigned* days,
                           unsigned lo, unsigned hi, size_t rows) {
  size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t r = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; r < rows;
       r += stride) {
    unsigned k = keys[r];
    if (k < lo || k >= hi) continue;
    unsigned p = packed[r];
    unsigned year = p >> 9, month = (p >> 5) & 15, day = p & 31;
    days[r] = year * 372 + month * 31 + day;
  }
}

int main(int argc, char** argv) {
  size_t rows = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<unsigned> keys(rows), packed(rows);
  unsigned s = 17;
  for (size_t r = 0; r < rows; ++r) {
    s = s * 1103515245u + 12345u;
    keys[r] = s >> 12;
    s = s * 1103515245u + 12345u;
    packed[r] = ((s >> 16) % 120) << 9 | ((s >> 8) % 12) << 5 | (s >> 20) % 31;
  }
  unsigned lo = 500000, hi = lo + (1u << 20) * 3 / 100;

  unsigned *dKeys, *dPacked, *dDays;
  size_t bytes = rows * sizeof(unsigned);
  cudaMalloc(&dKeys, bytes);
  cudaMalloc(&dPacked, bytes);
  cudaMalloc(&dDays, bytes);
  cudaMemcpy(dKeys, keys.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dPacked, packed.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(dDays, 0, bytes);

  scanDecode<<<1024, 256>>>(dKeys, dPacked, dDays, lo, hi, rows);
  cudaMemcpy(packed.data(), dDays, bytes, cudaMemcpyDeviceToHost);

  unsigned long long sum = 0;
  size_t hits = 0;
  for (unsigned d : packed) {
    sum += d;
    hits += d != 0;
  }
  std::printf("hits %zu sum %llu\n", hits, sum);
  cudaFree(dKeys);
  cudaFree(dPacked);
  cudaFree(dDays);
  return 0;
}
