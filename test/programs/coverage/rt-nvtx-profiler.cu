// SPDX-License-Identifier: Apache-2.0
// COVERS: nvtx, profiler api
// FLAGS: -ldl
// Ranges and marks of NVTX and the profiler's start and stop around a kernel: they change nothing.
#include <cstdio>
#include <cstdlib>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

struct Range {
  explicit Range(const char* name) { nvtxRangePushA(name); }
  ~Range() { nvtxRangePop(); }
};

__global__ void iota(int* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = i;
}

int main(int argc, char** argv) {
  Range all("main");
  int n = argc > 1 ? atoi(argv[1]) : 777, *v, sum = 0;
  if (cudaMallocManaged(&v, n * sizeof(int)) != cudaSuccess)
    return puts("FAIL"), 1;
  cudaProfilerStart();
  {
    Range kernel("iota");
    nvtxMarkA("launch");
    iota<<<(n + 127) / 128, 128>>>(v, n);
    cudaDeviceSynchronize();
  }
  cudaProfilerStop();
  nvtxRangeId_t id = nvtxRangeStartA("check");
  for (int i = 0; i < n; ++i)
    sum += v[i];
  nvtxRangeEnd(id);
  cudaFree(v);
  bool ok = sum == n * (n - 1) / 2;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
