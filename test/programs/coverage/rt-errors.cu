// SPDX-License-Identifier: Apache-2.0
// COVERS: error handling, cudaGetErrorString, cudaPeekAtLastError, cudaDeviceReset
// DIFFERS: CUDA 13 has another code for a bad configuration; these are CUDA 12's.
// Mistakes that must be refused, each with its code; the device works on afterwards.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

static int wrong = 0;
#define EXPECT(call, code)                                                                         \
  do {                                                                                             \
    cudaError_t got = (call);                                                                      \
    if (got != (code)) {                                                                           \
      printf("line %d: %s is %s, expected %s\n", __LINE__, #call, cudaGetErrorName(got), #code);   \
      ++wrong;                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void set(int* p, int v) {
  p[threadIdx.x] = v;
}

int main() {
  int *d = nullptr, host[32];
  EXPECT(cudaMalloc(&d, 32 * sizeof(int)), cudaSuccess);
  set<<<1, 2048>>>(d, 1); // too many threads
  EXPECT(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError(), cudaSuccess);
  set<<<0, 32>>>(d, 1); // no blocks
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  set<<<dim3(1, 70000), 32>>>(d, 1);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  set<<<1, dim3(1, 1, 65)>>>(d, 1);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  set<<<1, 32, 1 << 20>>>(d, 1); // too much shared memory
  EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
  void* huge = nullptr;
  EXPECT(cudaMalloc(&huge, (size_t)1 << 50), cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(d, host, 16, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaSetDevice(9999), cudaErrorInvalidDevice);
  EXPECT(cudaFree(nullptr), cudaSuccess);
  cudaEvent_t e;
  EXPECT(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), cudaSuccess);
  EXPECT(cudaEventRecord(e, 0), cudaSuccess);
  EXPECT(cudaEventSynchronize(e), cudaSuccess);
  float ms;
  EXPECT(cudaEventElapsedTime(&ms, e, e), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  wrong += strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0;
  wrong += strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") != 0;
  wrong += strcmp(cudaGetErrorString(cudaSuccess), "no error") != 0;
  set<<<1, 32>>>(d, 42);
  EXPECT(cudaGetLastError(), cudaSuccess);
  EXPECT(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int v : host)
    wrong += v != 42;
  EXPECT(cudaEventDestroy(e), cudaSuccess);
  EXPECT(cudaFree(d), cudaSuccess);
  EXPECT(cudaDeviceReset(), cudaSuccess);
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
