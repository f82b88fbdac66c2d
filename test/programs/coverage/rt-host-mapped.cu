// SPDX-License-Identifier: Apache-2.0
// COVERS: mapped host memory, cudaHostAlloc, cudaHostGetDevicePointer, cudaHostRegister
// Zero copy: memory of the host mapped for the device, both allocated and registered afterwards.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

static int line;
#define T(x)                                                                                       \
  (line = __LINE__, (x) == cudaSuccess ? (void)0 : (void)(printf("line %d\nFAIL\n", line), exit(1)))

__global__ void vectorAdd(const float* a, const float* b, float* c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  cudaDeviceProp prop;
  T(cudaGetDeviceProperties(&prop, 0));
  if (!prop.canMapHostMemory) {
    puts("cannot map host memory\nFAIL");
    return 1;
  }
  float *a, *da, *c, *dc, *db;
  T(cudaHostAlloc((void**)&a, n * sizeof(float), cudaHostAllocMapped));
  T(cudaHostAlloc((void**)&c, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocPortable));
  std::vector<float> b(n);
  T(cudaHostRegister(b.data(), n * sizeof(float), cudaHostRegisterMapped));
  for (int i = 0; i < n; ++i) {
    a[i] = (float)i;
    b[i] = (float)(2 * i);
    c[i] = -1;
  }
  T(cudaHostGetDevicePointer((void**)&da, a, 0));
  T(cudaHostGetDevicePointer((void**)&db, b.data(), 0));
  T(cudaHostGetDevicePointer((void**)&dc, c, 0));
  unsigned flags = 0;
  T(cudaHostGetFlags(&flags, c));
  vectorAdd<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  T(cudaGetLastError());
  T(cudaDeviceSynchronize());
  int bad = !(flags & cudaHostAllocMapped);
  for (int i = 0; i < n; ++i)
    bad += c[i] != 3.0f * i;
  T(cudaHostUnregister(b.data()));
  T(cudaFreeHost(a));
  T(cudaFreeHost(c));
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
