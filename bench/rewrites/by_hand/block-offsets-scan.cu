// SPDX-License-Identifier: Apache-2.0
// Expands run lengths: thread 0 turns the block's lengths into offsets, then every thread writes.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define RUNS 128
#define MAX_OUT (RUNS * 8)

__global__ void expandRuns(const unsigned char* length, const unsigned char* symbol,
                           unsigned char* out, int* outCount, int runs) {
  __shared__ int warpTotal[RUNS / 32];
  int r = blockIdx.x * RUNS + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int mine = r < runs ? length[r] : 0;
  int upTo = mine;
  for (int d = 1; d < 32; d *= 2) {
    int left = __shfl_up_sync(~0u, upTo, d);
    if (lane >= d) upTo += left;
  }
  if (lane == 31) warpTotal[warp] = upTo;
  __syncthreads();
  int offset = upTo - mine;
  for (int w = 0; w < warp; ++w) offset += warpTotal[w];
  if (threadIdx.x == RUNS - 1) outCount[blockIdx.x] = offset + mine;
  unsigned char* dest = out + size_t(blockIdx.x) * MAX_OUT + offset;
  for (int k = 0; k < mine; ++k) {
    dest[k] = symbol[r];
  }
}

int main(int argc, char** argv) {
  int runs = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int blocks = (runs + RUNS - 1) / RUNS;
  std::vector<unsigned char> length(runs), symbol(runs), out(size_t(blocks) * MAX_OUT);
  std::vector<int> count(blocks);
  unsigned s = 55;
  for (int r = 0; r < runs; ++r) {
    s = s * 1664525u + 1013904223u;
    length[r] = (s >> 13) % 9;
    symbol[r] = 'a' + (s >> 22) % 26;
  }
  unsigned char *dLength, *dSymbol, *dOut;
  int* dCount;
  cudaMalloc(&dLength, runs);
  cudaMalloc(&dSymbol, runs);
  cudaMalloc(&dOut, out.size());
  cudaMalloc(&dCount, blocks * sizeof(int));
  cudaMemcpy(dLength, length.data(), runs, cudaMemcpyHostToDevice);
  cudaMemcpy(dSymbol, symbol.data(), runs, cudaMemcpyHostToDevice);
  cudaMemset(dOut, 0, out.size());
  expandRuns<<<blocks, RUNS>>>(dLength, dSymbol, dOut, dCount, runs);
  cudaMemcpy(out.data(), dOut, out.size(), cudaMemcpyDeviceToHost);
  cudaMemcpy(count.data(), dCount, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned long long check = 0, total = 0;
  for (int b = 0; b < blocks; ++b) {
    total += count[b];
    for (int k = 0; k < count[b]; ++k) check = check * 31 + out[size_t(b) * MAX_OUT + k];
  }
  std::printf("bytes %llu check %016llx\n", total, check);
  cudaFree(dLength);
  cudaFree(dSymbol);
  cudaFree(dOut);
  cudaFree(dCount);
  return 0;
}
