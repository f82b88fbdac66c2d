// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: coalesced_threads, atomics
// A filter whose threads gather in a coalesced group and take one atomic for all. Arguments: n.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define CUDA_TRY(x)                                                                                \
  {                                                                                                \
    cudaError_t c = (x);                                                                           \
    if (c != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s\n", cudaGetErrorString(c));                                              \
      puts("FAIL");                                                                                \
      return 1;                                                                                    \
    }                                                                                              \
  }

__device__ int aggregatedIncrement(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0)
    base = atomicAdd(counter, (int)active.size());
  base = active.shfl(base, 0);
  return base + (int)active.thread_rank();
}

__global__ void filter(int* dst, int* count, const int* src, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  if (src[i] > 0)
    dst[aggregatedIncrement(count)] = src[i];
}

__global__ void groups(int* out) {
  int t = threadIdx.x;
  if (t % 3 == 0) {
    auto g = cg::coalesced_threads();
    int sum = 0;
    for (unsigned k = 0; k < g.size(); ++k)
      sum += g.shfl(t, k);
    unsigned votes = g.ballot(t % 2 == 0);
    out[t] = sum * 10000 + g.any(t == 3) * 1000 + g.all(t % 3 == 0) * 100 + __popc(votes);
  } else {
    out[t] = -1;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5000;
  std::vector<int> src(n), want, got(n);
  for (int i = 0; i < n; ++i) {
    src[i] = (int)((unsigned)i * 2654435761u >> 8) % 200 - 100;
    if (src[i] > 0)
      want.push_back(src[i]);
  }
  int *dsrc, *ddst, *dcount, count;
  CUDA_TRY(cudaMalloc(&dsrc, n * sizeof(int)));
  CUDA_TRY(cudaMalloc(&ddst, n * sizeof(int)));
  CUDA_TRY(cudaMalloc(&dcount, 64 * sizeof(int)));
  CUDA_TRY(cudaMemcpy(dsrc, src.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemset(dcount, 0, sizeof(int)));
  filter<<<(n + 127) / 128, 128>>>(ddst, dcount, dsrc, n);
  CUDA_TRY(cudaMemcpy(&count, dcount, sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_TRY(cudaMemcpy(got.data(), ddst, count * sizeof(int), cudaMemcpyDeviceToHost));
  got.resize(count);
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  bool ok = got == want;
  printf("%d of %d kept, %zu expected\n", count, n, want.size());
  groups<<<1, 32>>>(dcount);
  int out[32];
  CUDA_TRY(cudaMemcpy(out, dcount, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 32; ++t) {
    int sum = 165; // 0 + 3 + ... + 30, of which 0, 6, ..., 30 are even
    if (out[t] != (t % 3 ? -1 : sum * 10000 + 1000 + 100 + 6)) {
      printf("thread %d: %d\n", t, out[t]);
      ok = false;
    }
  }
  cudaFree(dsrc), cudaFree(ddst), cudaFree(dcount);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
