// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaPointerGetAttributes, pinned memory, managed
// What the runtime says of pointers to device, managed, pinned, plain and variable memory.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__device__ int variable[16];

static bool is(const void* p, cudaMemoryType type, const char* what) {
  cudaPointerAttributes a;
  cudaError_t e = cudaPointerGetAttributes(&a, p);
  if (e != cudaSuccess || a.type != type) {
    printf("%s: type %d, expected %d (%s)\n", what, (int)a.type, (int)type, cudaGetErrorString(e));
    return false;
  }
  if (type == cudaMemoryTypeDevice && (a.devicePointer != p || a.device != 0)) {
    printf("%s: another pointer or device\n", what);
    return false;
  }
  if (type == cudaMemoryTypeHost && a.hostPointer != p) {
    printf("%s: another host pointer\n", what);
    return false;
  }
  return true;
}

// As libraries do: copies from wherever the data are.
static cudaError_t sumOf(const int* p, int n, int* sum) {
  int* tmp = (int*)malloc(n * sizeof(int));
  cudaError_t e = cudaMemcpy(tmp, p, n * sizeof(int), cudaMemcpyDefault);
  *sum = 0;
  for (int i = 0; i < n; ++i)
    *sum += tmp[i];
  free(tmp);
  return e;
}

int main() {
  const int n = 16;
  int *device, *managed, *pinned, *address, plain[n], data[n];
  if (cudaMalloc(&device, n * 4) || cudaMallocManaged(&managed, n * 4) ||
      cudaMallocHost(&pinned, n * 4) || cudaGetSymbolAddress((void**)&address, variable))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i)
    data[i] = managed[i] = pinned[i] = plain[i] = i;
  cudaMemcpy(device, data, sizeof data, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(variable, data, sizeof data);
  bool ok = is(device, cudaMemoryTypeDevice, "device");
  ok = is(device + 3, cudaMemoryTypeDevice, "inside") && ok;
  ok = is(managed, cudaMemoryTypeManaged, "managed") && ok;
  ok = is(pinned, cudaMemoryTypeHost, "pinned") && ok;
  ok = is(plain, cudaMemoryTypeUnregistered, "plain") && ok;
  ok = is(address, cudaMemoryTypeDevice, "variable") && ok;
  for (const int* p : {(const int*)device, (const int*)managed, (const int*)pinned,
                       (const int*)plain, (const int*)address}) {
    int sum = -1;
    ok = sumOf(p, n, &sum) == cudaSuccess && sum == n * (n - 1) / 2 && ok;
  }
  cudaFree(device);
  cudaFree(managed);
  cudaFreeHost(pinned);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
