// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: invoke_one, atomics
// One thread of a group acts for all: cg::invoke_one and invoke_one_broadcast give out tickets.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tickets(int* counter, int* calls, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || i % 5 == 2)
    return;
  auto active = cg::coalesced_threads();
  int base = cg::invoke_one_broadcast(
      active, [&] { return atomicAdd(counter, (int)active.num_threads()); });
  cg::invoke_one(active, [&] { atomicAdd(calls, 1); });
  out[base + active.thread_rank()] = i;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int *counts, *out, host[2];
  std::vector<int> got, want;
  for (int i = 0; i < n; ++i)
    if (i % 5 != 2)
      want.push_back(i);
  cudaMalloc(&counts, sizeof host);
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(counts, 0, sizeof host);
  tickets<<<(n + 63) / 64, 64>>>(counts, counts + 1, out, n);
  cudaError_t status = cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
  if (status != cudaSuccess || host[0] != (int)want.size()) {
    printf("%s: %d tickets, expected %zu\nFAIL\n", cudaGetErrorString(status), host[0],
           want.size());
    return 1;
  }
  got.resize(host[0]);
  cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(got.begin(), got.end());
  // At least one call for each warp; more where a warp's threads did not stay together.
  bool ok = got == want && host[1] >= (n + 31) / 32 && host[1] <= host[0];
  cudaFree(counts);
  cudaFree(out);
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
