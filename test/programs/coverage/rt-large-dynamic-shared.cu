// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaFuncSetAttribute, dynamic shared, large dynamic shared
// More dynamic shared memory than a plain launch may have: refused first, then allowed.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CK(e)                                                                                      \
  do {                                                                                             \
    if ((e) != cudaSuccess) {                                                                      \
      printf("line %d\nFAIL\n", __LINE__);                                                         \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

// Reverses n numbers through shared memory at once.
__global__ void reverse(int* v, int n) {
  extern __shared__ int buffer[];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    buffer[n - 1 - i] = v[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    v[i] = buffer[i];
}

int main() {
  int most = 0, plain = 0;
  CK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CK(cudaDeviceGetAttribute(&plain, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  int bytes = most < 96 * 1024 ? most : 96 * 1024, n = bytes / 4;
  if (bytes <= plain) {
    puts("no more than the plain limit\nFAIL");
    return 1;
  }
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = i;
  int* d;
  CK(cudaMalloc(&d, n * sizeof(int)));
  CK(cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  reverse<<<1, 256, bytes>>>(d, n);
  bool refused = cudaGetLastError() == cudaErrorInvalidValue;
  CK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  CK(cudaFuncSetAttribute(reverse, cudaFuncAttributePreferredSharedMemoryCarveout,
                          cudaSharedmemCarveoutMaxShared));
  reverse<<<1, 256, bytes>>>(d, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += h[i] != n - 1 - i;
  bool tooMuch = cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      most + 1024) != cudaSuccess;
  cudaGetLastError();
  CK(cudaFree(d));
  bool ok = refused && tooMuch && bad == 0;
  printf("plain refused: %d, too much refused: %d, %d wrong\n%s\n", refused, tooMuch, bad,
         ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
