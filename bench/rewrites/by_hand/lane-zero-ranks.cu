// SPDX-License-Identifier: Apache-2.0
// A warp per query builds 32 partial scores; lane 0 counts those above the query's cut and sums.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int WARPS_PER_BLOCK = 4;
const int ITEMS = 32;

__global__ void scoreQueries(const int* tables, const int* cuts, int2* result, int queries) {
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  int q = blockIdx.x * WARPS_PER_BLOCK + warp;
  if (q >= queries) return;
  int score = 0;
  for (int step = 0; step < 4; ++step) {
    score += tables[(q * 37 + step * ITEMS + lane) & 4095];
  }
  bool high = score > cuts[q];
  int above = __popc(__ballot_sync(~0u, high));
  int sum = __reduce_add_sync(~0u, high ? score : 0);
  if (lane == 0) result[q] = make_int2(above, sum);
}

int main(int argc, char** argv) {
  int queries = argc > 1 ? std::atoi(argv[1]) : 200000;
  std::vector<int> tables(4096), cuts(queries);
  unsigned s = 321;
  for (int& v : tables) {
    s = s * 1664525u + 1013904223u;
    v = (s >> 12) % 1000;
  }
  for (int& c : cuts) {
    s = s * 1664525u + 1013904223u;
    c = 1000 + (s >> 12) % 2000;
  }
  int *dTables, *dCuts;
  int2* dResult;
  cudaMalloc(&dTables, tables.size() * sizeof(int));
  cudaMalloc(&dCuts, queries * sizeof(int));
  cudaMalloc(&dResult, queries * sizeof(int2));
  cudaMemcpy(dTables, tables.data(), tables.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dCuts, cuts.data(), queries * sizeof(int), cudaMemcpyHostToDevice);
  int blocks = (queries + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK;
  scoreQueries<<<blocks, WARPS_PER_BLOCK * 32>>>(dTables, dCuts, dResult, queries);
  std::vector<int2> result(queries);
  cudaMemcpy(result.data(), dResult, queries * sizeof(int2), cudaMemcpyDeviceToHost);
  long long above = 0, sum = 0;
  for (const int2& r : result) {
    above += r.x;
    sum += r.y;
  }
  std::printf("above %lld sum %lld\n", above, sum);
  cudaFree(dTables);
  cudaFree(dCuts);
  cudaFree(dResult);
  return 0;
}
