// SPDX-License-Identifier: Apache-2.0
// COVERS: old spellings, arrays, volatile
// Code of the first years: cudaThreadSynchronize, shuffles and votes without _sync, copies to
// arrays by byte counts. Where the toolkit has dropped a name, the program brings it as people do.
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#endif
#if CUDART_VERSION >= 9000
#define __shfl_down(v, d) __shfl_down_sync(0xffffffffu, v, d)
#define __shfl(v, l) __shfl_sync(0xffffffffu, v, l)
#define __ballot(p) __ballot_sync(0xffffffffu, p)
#define __any(p) __any_sync(0xffffffffu, p)
#define __all(p) __all_sync(0xffffffffu, p)
#endif

#define CUT_CHECK_ERROR(msg)                                                                       \
  {                                                                                                \
    cudaError_t err = cudaGetLastError();                                                          \
    if (cudaSuccess != err) {                                                                      \
      fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err));                      \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  }

__global__ void testKernel(int* g_idata, int* g_odata, int n) {
  const unsigned int tid = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  int v = tid < (unsigned)n ? g_idata[tid] : 0;
  int sum = v;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down(sum, d);
  sum = __shfl(sum, 0);
  int votes = __popc(__ballot(v & 1));
  int flags = (__any(v > 90) ? 2 : 0) + (__all(v >= 0) ? 1 : 0);
  if (tid < (unsigned)n)
    g_odata[tid] = sum * 1000 + votes * 10 + flags;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 256;
  size_t mem_size = sizeof(int) * n;
  int* h_idata = (int*)malloc(mem_size);
  int* h_odata = (int*)malloc(mem_size);
  for (int i = 0; i < n; ++i)
    h_idata[i] = i * 17 % 101;
  int *d_idata, *d_odata;
  cudaMalloc((void**)&d_idata, mem_size);
  cudaMalloc((void**)&d_odata, mem_size);
  cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice);
  dim3 grid((n + 63) / 64, 1, 1), threads(64, 1, 1);
  testKernel<<<grid, threads, 0>>>(d_idata, d_odata, n);
  CUT_CHECK_ERROR("Kernel execution failed");
  cudaThreadSynchronize();
  cudaMemcpy(h_odata, d_odata, mem_size, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    int sum = 0, votes = 0, any = 0;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32 && k < n; ++k) {
      sum += h_idata[k];
      votes += h_idata[k] & 1;
      any |= h_idata[k] > 90;
    }
    bad += h_odata[i] != sum * 1000 + votes * 10 + any * 2 + 1;
  }
  cudaArray* array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &desc, n, 1);
  cudaMemcpyToArray(array, 0, 0, h_idata, mem_size, cudaMemcpyHostToDevice);
  cudaMemcpyFromArray(h_odata, array, 0, 0, mem_size, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    bad += h_odata[i] != h_idata[i];
  cudaFreeArray(array);
  cudaFree(d_idata);
  cudaFree(d_odata);
  free(h_idata);
  free(h_odata);
  cudaThreadExit();
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
