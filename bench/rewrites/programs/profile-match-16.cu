// SPDX-License-Identifier: Apache-2.0
// Similarity of user profiles to one reference, a block of 16 threads for each profile.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define DIMS 16

__global__ void similarity(const int* profiles, const int* reference, int* score) {
  __shared__ int part[DIMS];
  int d = threadIdx.x;
  int user = blockIdx.x;
  part[d] = profiles[user * DIMS + d] * reference[d];
  __syncthreads();
  for (int half = DIMS / 2; half > 0; half /= 2) {
    if (d < half) part[d] += part[d + half];
    __syncthreads();
  }
  if (d == 0) score[user] = part[0];
}

int main(int argc, char** argv) {
  int users = argc > 1 ? std::atoi(argv[1]) : 250000;
  std::vector<int> profiles(size_t(users) * DIMS), reference(DIMS), score(users);
  unsigned s = 71;
  for (int& v : profiles) {
    s = s * 1664525u + 1013904223u;
    v = static_cast<int>((s >> 16) % 201) - 100;
  }
  for (int d = 0; d < DIMS; ++d) reference[d] = (d * 37) % 19 - 9;
  int *dProfiles, *dReference, *dScore;
  cudaMalloc(&dProfiles, profiles.size() * sizeof(int));
  cudaMalloc(&dReference, DIMS * sizeof(int));
  cudaMalloc(&dScore, users * sizeof(int));
  cudaMemcpy(dProfiles, profiles.data(), profiles.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dReference, reference.data(), DIMS * sizeof(int), cudaMemcpyHostToDevice);
  similarity<<<users, DIMS>>>(dProfiles, dReference, dScore);
  cudaMemcpy(score.data(), dScore, users * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int best = 0;
  for (int u = 0; u < users; ++u) {
    sum += score[u];
    if (score[u] > score[best]) best = u;
  }
  std::printf("sum %lld best user %d\n", sum, best);
  cudaFree(dProfiles);
  cudaFree(dReference);
  cudaFree(dScore);
  return 0;
}
