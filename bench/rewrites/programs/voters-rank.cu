// SPDX-License-Identifier: Apache-2.0
// Rank of each valid vote among the valid yes votes of its warp-sized constituency.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void rankVotes(const unsigned char* vote, int* rank, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool valid = i < n && vote[i] < 200;
  unsigned present = __ballot_sync(0xffffffffu, valid);
  if (valid) {
    bool yes = (vote[i] & 3) == 1;
    unsigned yesVotes = __ballot_sync(present, yes);
    unsigned lower = (1u << (threadIdx.x & 31)) - 1u;
    int r = __popc(yesVotes & lower);
    for (int k = 0; k < 20; ++k) r = (r * 5 + vote[i]) % 10007;
    rank[i] = yes ? r : -r;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::vector<unsigned char> vote(n);
  unsigned s = 1789;
  for (unsigned char& v : vote) {
    s = s * 1664525u + 1013904223u;
    v = static_cast<unsigned char>((s >> 16) % 256);
    if ((s >> 25) % 2) v = 255;
  }
  unsigned char* dVote;
  int* dRank;
  cudaMalloc(&dVote, n);
  cudaMalloc(&dRank, n * sizeof(int));
  cudaMemcpy(dVote, vote.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dRank, 0, n * sizeof(int));
  rankVotes<<<(n + 255) / 256, 256>>>(dVote, dRank, n);
  std::vector<int> rank(n);
  cudaMemcpy(rank.data(), dRank, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += 1LL * rank[i] * (i % 5 + 1);
  std::printf("check %lld\n", sum);
  cudaFree(dVote);
  cudaFree(dRank);
  return 0;
}
