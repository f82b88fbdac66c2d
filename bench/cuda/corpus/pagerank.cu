// SPDX-License-Identifier: Apache-2.0
// PageRank: each page gathers from the pages that link to it.
#include "common.h"

__global__ void shareRank(const float* rank, const int* outgoing, float* share, int n) {
  int page = blockIdx.x * blockDim.x + threadIdx.x;
  if (page < n)
    share[page] = outgoing[page] ? rank[page] / outgoing[page] : 0.0f;
}

__global__ void gatherRank(const int* start, const int* sources, const float* share, float* rank,
                           int n) {
  int page = blockIdx.x * blockDim.x + threadIdx.x;
  if (page >= n)
    return;
  float sum = 0;
  for (int k = start[page]; k < start[page + 1]; ++k)
    sum += share[sources[k]];
  rank[page] = 0.15f / n + 0.85f * sum;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1000);
  Random random(37);
  std::vector<int> start(1, 0), sources, outgoing(n, 0);
  for (int i = 0; i < n; ++i) {
    int links = 1 + random.next() % 6;
    if (i % 64 == 0)
      links = 100;
    for (int k = 0; k < links; ++k) {
      sources.push_back(random.next() % n);
      ++outgoing[sources.back()];
    }
    start.push_back((int)sources.size());
  }
  std::vector<float> rank(n, 1.0f / n), share(n);
  int *s = upload(start), *l = upload(sources), *o = upload(outgoing);
  float *r = upload(rank), *h = allocate<float>(n);
  for (int step = 0; step < 5; ++step) {
    shareRank<<<(n + 255) / 256, 256>>>(r, o, h, n);
    gatherRank<<<(n + 255) / 256, 256>>>(s, l, h, r, n);
    for (int i = 0; i < n; ++i)
      share[i] = outgoing[i] ? rank[i] / outgoing[i] : 0.0f;
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int k = start[i]; k < start[i + 1]; ++k)
        sum += share[sources[k]];
      rank[i] = 0.15f / n + 0.85f * sum;
    }
  }
  return verdict(allNear(download(r, n), rank, 1e-6));
}
