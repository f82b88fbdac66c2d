// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaDeviceSetLimit, recursion, device malloc
// A larger stack for deep recursion, a larger heap for device malloc, a larger printf buffer.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CK(x)                                                                                      \
  if (cudaError_t e = (x)) {                                                                       \
    printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(e));                                           \
    return 1;                                                                                      \
  }

__device__ __noinline__ int deep(int n, volatile int* seen) {
  int local[16];
  for (int i = 0; i < 16; ++i)
    local[i] = n + i;
  *seen = n;
  if (n == 0)
    return 0;
  return deep(n - 1, seen) + local[n % 16] - n;
}

__global__ void recurse(int depth, int* out) {
  int seen;
  out[threadIdx.x] = deep(depth + threadIdx.x % 2, &seen);
}

__global__ void allocate(size_t bytes, int* ok) {
  char* p = (char*)malloc(bytes);
  if (p) {
    p[0] = 1;
    p[bytes - 1] = 2;
    ok[threadIdx.x] = p[0] + p[bytes - 1];
    free(p);
  } else {
    ok[threadIdx.x] = -1;
  }
}

int main(int argc, char** argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 60;
  size_t stack = 0, heap = 0, fifo = 0;
  CK(cudaDeviceSetLimit(cudaLimitStackSize, 32 * 1024));
  CK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  CK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
  CK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  CK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  CK(cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize));
  bool ok = stack >= 32 * 1024 && heap >= 32 << 20 && fifo >= 2 << 20;
  int *out, host[32];
  CK(cudaMalloc(&out, sizeof host));
  recurse<<<1, 32>>>(depth, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 32; ++t) {
    int want = 0;
    for (int n = 1; n <= depth + t % 2; ++n)
      want += n % 16;
    ok = ok && host[t] == want;
  }
  allocate<<<1, 16>>>((size_t)1 << 20, out); // 16 MB at once
  CK(cudaGetLastError());
  CK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 16; ++t)
    ok = ok && host[t] == 3;
  CK(cudaFree(out));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
