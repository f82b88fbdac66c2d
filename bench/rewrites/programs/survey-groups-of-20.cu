// SPDX-License-Identifier: Apache-2.0
// Deviation of each answer from the mean of its group of 20 (a block of 20 threads per group).
#include <cstdio>
#include <cstdlib>
#include <vector>

#define GROUP 20

__global__ void deviations(const int* answers, int* deviation, int* spread) {
  __shared__ int group[GROUP];
  int i = blockIdx.x * GROUP + threadIdx.x;
  group[threadIdx.x] = answers[i];
  __syncthreads();
  int sum = 0, lowest = group[0], highest = group[0];
  for (int k = 0; k < GROUP; ++k) {
    sum += group[k];
    lowest = min(lowest, group[k]);
    highest = max(highest, group[k]);
  }
  deviation[i] = GROUP * answers[i] - sum;
  if (threadIdx.x == GROUP - 1) spread[blockIdx.x] = highest - lowest;
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
  deviations<<<groups, GROUP>>>(dAnswers, dDeviation, dSpread);
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
