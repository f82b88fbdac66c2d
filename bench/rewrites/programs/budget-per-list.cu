// SPDX-License-Identifier: Apache-2.0
// How many jobs of each queue fit in the queue's budget, taken in order.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void fit(const int* begin, const int* cost, const int* budget, int2* taken,
                    int queues) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= queues) return;
  int spent = 0;
  int jobs = 0;
  for (int k = begin[q]; k < begin[q + 1]; ++k) {
    if (spent + cost[k] > budget[q]) break;
    spent += cost[k];
    ++jobs;
  }
  taken[q] = make_int2(jobs, spent);
}

int main(int argc, char** argv) {
  int queues = argc > 1 ? std::atoi(argv[1]) : 200000;
  std::mt19937 gen(1000);
  std::vector<int> begin(queues + 1, 0), budget(queues);
  for (int q = 0; q < queues; ++q) {
    begin[q + 1] = begin[q] + gen() % 80;
    budget[q] = gen() % 4000;
  }
  std::vector<int> cost(begin[queues]);
  for (int& c : cost) c = 1 + gen() % 100;
  int *dBegin, *dCost, *dBudget;
  int2* dTaken;
  cudaMalloc(&dBegin, begin.size() * sizeof(int));
  cudaMalloc(&dCost, cost.size() * sizeof(int));
  cudaMalloc(&dBudget, queues * sizeof(int));
  cudaMalloc(&dTaken, queues * sizeof(int2));
  cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dCost, cost.data(), cost.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dBudget, budget.data(), queues * sizeof(int), cudaMemcpyHostToDevice);
  fit<<<(queues + 127) / 128, 128>>>(dBegin, dCost, dBudget, dTaken, queues);
  std::vector<int2> taken(queues);
  cudaMemcpy(taken.data(), dTaken, queues * sizeof(int2), cudaMemcpyDeviceToHost);
  long long jobs = 0, spent = 0;
  for (const int2& t : taken) {
    jobs += t.x;
    spent += t.y;
  }
  std::printf("jobs %lld spent %lld\n", jobs, spent);
  cudaFree(dBegin);
  cudaFree(dCost);
  cudaFree(dBudget);
  cudaFree(dTaken);
  return 0;
}
