// SPDX-License-Identifier: Apache-2.0
// A counter whose answer each active lane waits for, several times, in a warp that is mostly idle.
#include <cstdio>
#include <vector>

__global__ void append(const int* kinds, int n, int rounds, int* total, int* list) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || kinds[i] % 8)
    return;
  for (int round = 0; round < rounds; ++round) {
    const int count = 1 + (kinds[i] >> 3) % 2, at = atomicAdd(total, count);
    for (int j = 0; j < count; ++j)
      list[(at + j) % n] = i;
  }
}

int main() {
  const int n = 1 << 18;
  std::vector<int> kinds(n);
  unsigned state = 5;
  for (int& kind : kinds) {
    state = state * 1664525u + 1013904223u;
    kind = int(state >> 9);
  }
  int *kindsThere = nullptr, *total = nullptr, *list = nullptr, count = 0;
  cudaMalloc(&kindsThere, n * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&list, n * sizeof(int));
  cudaMemcpy(kindsThere, kinds.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  append<<<n / 128, 128>>>(kindsThere, n, 1, total, list);
  append<<<n / 128, 128>>>(kindsThere, n, 4, total, list);
  cudaMemcpy(&count, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", count);
}
