// SPDX-License-Identifier: Apache-2.0
// Refines local maxima of a profile; the guarded work reads the block's tile in shared memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define N 256

__global__ void crests(const int* profile, int* area, int n) {
  __shared__ int tile[N + 2];
  int t = threadIdx.x + 1;
  int i = blockIdx.x * N + threadIdx.x;
  tile[t] = i < n ? profile[i] : 0;
  if (threadIdx.x == 0) tile[0] = i > 0 ? profile[i - 1] : 0;
  if (threadIdx.x == N - 1) tile[N + 1] = i + 1 < n ? profile[i + 1] : 0;
  __syncthreads();
  if (i >= n) return;
  if (tile[t] > 800 && tile[t] > tile[t - 1] && tile[t] > tile[t + 1]) {
    int left = t, right = t;
    while (left > 0 && tile[left] > tile[t] / 4) --left;
    while (right < N + 1 && tile[right] > tile[t] / 4) ++right;
    int sum = 0;
    for (int k = left; k <= right; ++k) sum += tile[k];
    area[i] = sum;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<int> profile(n);
  unsigned s = 1953;
  for (int& v : profile) {
    s = s * 1664525u + 1013904223u;
    v = (s >> 12) % 1000;
  }
  int *dProfile, *dArea;
  cudaMalloc(&dProfile, n * sizeof(int));
  cudaMalloc(&dArea, n * sizeof(int));
  cudaMemcpy(dProfile, profile.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dArea, 0, n * sizeof(int));
  crests<<<(n + N - 1) / N, N>>>(dProfile, dArea, n);
  cudaMemcpy(profile.data(), dArea, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int found = 0;
  for (int v : profile) {
    sum += v;
    found += v > 0;
  }
  std::printf("crests %d area %lld\n", found, sum);
  cudaFree(dProfile);
  cudaFree(dArea);
  return 0;
}
