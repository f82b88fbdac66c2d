// SPDX-License-Identifier: Apache-2.0
// Assignment and accumulation step of k-means on 4-dimensional integer features.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define K 8
#define D 4

__constant__ int centre[K * D];

__global__ void accumulate(const int* __restrict__ features, int* __restrict__ label,
                           unsigned long long* sums, unsigned* members, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int f[D];
  for (int d = 0; d < D; ++d) f[d] = features[d * n + i];
  int best = INT_MAX, which = 0;
  for (int k = 0; k < K; ++k) {
    int dist = 0;
    for (int d = 0; d < D; ++d) {
      int e = f[d] - centre[k * D + d];
      dist += e * e;
    }
    if (dist < best) {
      best = dist;
      which = k;
    }
  }
  label[i] = which;
  atomicAdd(&members[which], 1u);
  for (int d = 0; d < D; ++d) {
    atomicAdd(&sums[which * D + d], static_cast<unsigned long long>(f[d]));
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  std::vector<int> features(size_t(n) * D), label(n);
  int centres[K * D];
  unsigned s = 14;
  auto rnd = [&s](unsigned m) { return ((s = s * 1664525u + 1013904223u) >> 10) % m; };
  for (int& c : centres) c = 200 + rnd(3600);
  for (int i = 0; i < n; ++i) {
    int k = rnd(K);
    for (int d = 0; d < D; ++d) features[size_t(d) * n + i] = centres[k * D + d] - 200 + rnd(400);
  }
  cudaMemcpyToSymbol(centre, centres, sizeof(centres));
  int *dFeatures, *dLabel;
  unsigned long long* dSums;
  unsigned* dMembers;
  cudaMalloc(&dFeatures, features.size() * sizeof(int));
  cudaMalloc(&dLabel, n * sizeof(int));
  cudaMalloc(&dSums, K * D * sizeof(unsigned long long));
  cudaMalloc(&dMembers, K * sizeof(unsigned));
  cudaMemcpy(dFeatures, features.data(), features.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dSums, 0, K * D * sizeof(unsigned long long));
  cudaMemset(dMembers, 0, K * sizeof(unsigned));
  accumulate<<<(n + 255) / 256, 256>>>(dFeatures, dLabel, dSums, dMembers, n);
  unsigned long long sums[K * D];
  unsigned members[K];
  cudaMemcpy(sums, dSums, sizeof(sums), cudaMemcpyDeviceToHost);
  cudaMemcpy(members, dMembers, sizeof(members), cudaMemcpyDeviceToHost);
  for (int k = 0; k < K; ++k) {
    std::printf("cluster %d: %u members, first sum %llu\n", k, members[k], sums[k * D]);
  }
  cudaFree(dFeatures);
  cudaFree(dLabel);
  cudaFree(dSums);
  cudaFree(dMembers);
  return 0;
}
