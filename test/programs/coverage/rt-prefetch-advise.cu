// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaMemAdvise, cudaMemPrefetchAsync, managed
// Hints about managed memory in the signature of CUDA 13, or of older toolkits. Arguments: n.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CHECK(x)                                                                                   \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e != cudaSuccess) {                                                                        \
      printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(e));                                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static void advise(const void* p, size_t n, cudaMemoryAdvise advice, int device) {
#if CUDART_VERSION >= 13000
  cudaMemLocation where = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                           device < 0 ? 0 : device};
  CHECK(cudaMemAdvise(p, n, advice, where));
#else
  CHECK(cudaMemAdvise(p, n, advice, device < 0 ? cudaCpuDeviceId : device));
#endif
}

static void prefetch(const void* p, size_t n, int device, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation where = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                           device < 0 ? 0 : device};
  CHECK(cudaMemPrefetchAsync(p, n, where, 0, stream));
#else
  CHECK(cudaMemPrefetchAsync(p, n, device < 0 ? cudaCpuDeviceId : device, stream));
#endif
}

__global__ void saxpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 14, device = 0;
  float *x, *y;
  size_t bytes = n * sizeof(float);
  CHECK(cudaGetDevice(&device));
  CHECK(cudaMallocManaged(&x, bytes));
  CHECK(cudaMallocManaged(&y, bytes));
  for (int i = 0; i < n; ++i) {
    x[i] = (float)(i % 50);
    y[i] = 2.0f;
  }
  int concurrent = 0;
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  if (concurrent) {
    advise(x, bytes, cudaMemAdviseSetReadMostly, device);
    advise(y, bytes, cudaMemAdviseSetPreferredLocation, device);
    advise(y, bytes, cudaMemAdviseSetAccessedBy, -1);
    prefetch(x, bytes, device, stream);
    prefetch(y, bytes, device, stream);
  }
  saxpy<<<8, 128, 0, stream>>>(n, 3.0f, x, y);
  CHECK(cudaGetLastError());
  if (concurrent)
    prefetch(y, bytes, -1, stream);
  CHECK(cudaStreamSynchronize(stream));
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += y[i] != 3.0f * (i % 50) + 2.0f;
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
