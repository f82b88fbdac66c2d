// SPDX-License-Identifier: Apache-2.0
// Deviation of each answer from the mean of its group of 20 (eight groups in a block).
#include <cstdio>
#include <cstdlib>
#include <vector>

#define GROUP 20
#define GROUPS_PER_BLOCK 8

__global__ void deviations(const int* answers, int* deviation, int* spread, int groups) {
  __shared__ int group[GROUPS_PER_BLOCK][GROUP];
  int local = threadIdx.x / GROUP, member = threadIdx.x % GROUP;
  int g = blockIdx.x * GROUPS_PER_BLOCK + local;
  int i = g * GROUP + member;
  int mine = g < groups ? answers[i] : 0;
  group[local][member] = mine;
  __syncthreads();
  if (g >= groups) return;
  int sum = 0, lowest = group[local][0], highest = group[local][0];
  for (int k = 0; k < GROUP; ++k) {
    sum += group[local][k];
    lowest = min(lowest, group[local][k]);
    highest = max(highest, group[local][k]);
  }
  deviation[i] = GROUP * mine - sum;
  if (member == GROUP - 1) spread[g] = highest - lowest;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  int groups = (n + GROUP - 1) / GROUP;
  n = groups * GROUP;
  std::vector<int> answers(n), deviation(n), spread(groups);
  unsigned s = 30;
  for (int& a : answers) {
    s = s * 1664525u + 1013904223u;
    a = (s >> 12) % 101;
  }
  int *dAnswers, *dDeviation, *dSpread;
  cudaMalloc(&dAnswers, n * sizeof(int));
  cudaMalloc(&dDeviation, n * sizeof(int));
  cudaMalloc(&dSpread, groups * sizeof(int));
  cudaMemcpy(dAnswers, answers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int blocks = (groups + GROUPS_PER_BLOCK - 1) / GROUPS_PER_BLOCK;
  deviations<<<blocks, GROUPS_PER_BLOCK * GROUP>>>(dAnswers, dDeviation, dSpread, groups);
  cudaMemcpy(deviation.data(), dDeviation, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(spread.data(), dSpread, groups * sizeof(int), cudaMemcpyDeviceToHost);
  long long squares = 0, width = 0;
  for (int d : deviation) squares += 1LL * d * d;
  for (int w : spread) width += w;
  std::printf("squares %lld spread %lld\n", squares, width);
  cudaFree(dAnswers);
  cudaFree(dDeviation);
  cudaFree(dSpread);
  return 0;
}
