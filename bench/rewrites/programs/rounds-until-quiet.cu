// SPDX-License-Identifier: Apache-2.0
// Relaxes groups of 32 masses until the whole group is quiet; writes the rounds each group took.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void settle(int* position, int* rounds, int groups) {
  int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (g >= groups) return;
  int p = position[g * 32 + lane];
  int round = 0;
  while (__any_sync(0xffffffffu, p != 1)) {
    if (p != 1) {
      p = (p & 1) ? 3 * p + 1 : p / 2;
    }
    ++round;
  }
  position[g * 32 + lane] = round * (lane + 1);
  if (lane == 0) rounds[g] = round;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  int groups = (n + 31) / 32;
  std::vector<int> position(size_t(groups) * 32), rounds(groups);
  unsigned s = 27;
  for (int& p : position) {
    s = s * 1664525u + 1013904223u;
    p = 1 + static_cast<int>((s >> 14) % 20000);
  }
  int *dPosition, *dRounds;
  cudaMalloc(&dPosition, position.size() * sizeof(int));
  cudaMalloc(&dRounds, groups * sizeof(int));
  cudaMemcpy(dPosition, position.data(), position.size() * sizeof(int), cudaMemcpyHostToDevice);
  settle<<<(groups + 7) / 8, 256>>>(dPosition, dRounds, groups);
  cudaMemcpy(rounds.data(), dRounds, groups * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int most = 0;
  for (int r : rounds) {
    sum += r;
    most = r > most ? r : most;
  }
  std::printf("rounds %lld most %d\n", sum, most);
  cudaFree(dPosition);
  cudaFree(dRounds);
  return 0;
}
