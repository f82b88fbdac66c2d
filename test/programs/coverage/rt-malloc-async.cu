// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaMallocAsync, memory pools, streams
// Stream-ordered allocation: scratch memory for each round, the default pool's threshold, an own
// pool.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_TRY(x)                                                                                \
  do {                                                                                             \
    cudaError_t r = (x);                                                                           \
    if (r != cudaSuccess) {                                                                        \
      printf("%s at %d: %s\nFAIL\n", #x, __LINE__, cudaGetErrorString(r));                         \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

__global__ void fill(int* v, int n, int start) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    v[i] = start + i;
}
__global__ void sum(const int* v, int n, int* out) {
  int s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s += v[i];
  atomicAdd(out, s);
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 6, supported = 0;
  CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  if (!supported) {
    puts("no memory pools\nFAIL");
    return 1;
  }
  cudaMemPool_t pool, own;
  CUDA_TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = ~0ULL, kept = 0;
  CUDA_TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CUDA_TRY(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  bool ok = kept == threshold;
  cudaStream_t stream;
  CUDA_TRY(cudaStreamCreate(&stream));
  int *result, got = 0, want = 0;
  CUDA_TRY(cudaMallocAsync((void**)&result, sizeof(int), stream));
  CUDA_TRY(cudaMemsetAsync(result, 0, sizeof(int), stream));
  for (int r = 0; r < rounds; ++r) {
    int n = 100 * (r + 1), *scratch;
    CUDA_TRY(cudaMallocAsync((void**)&scratch, n * sizeof(int), stream));
    fill<<<1, 128, 0, stream>>>(scratch, n, r);
    sum<<<1, 128, 0, stream>>>(scratch, n, result);
    CUDA_TRY(cudaFreeAsync(scratch, stream));
    want += n * r + n * (n - 1) / 2;
  }
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  CUDA_TRY(cudaMemPoolCreate(&own, &props));
  int* other;
  CUDA_TRY(cudaMallocFromPoolAsync((void**)&other, 64 * sizeof(int), own, stream));
  fill<<<1, 64, 0, stream>>>(other, 64, 1000);
  sum<<<1, 64, 0, stream>>>(other, 64, result);
  want += 64000 + 64 * 63 / 2;
  CUDA_TRY(cudaFreeAsync(other, stream));
  CUDA_TRY(cudaMemcpyAsync(&got, result, sizeof got, cudaMemcpyDeviceToHost, stream));
  CUDA_TRY(cudaFreeAsync(result, stream));
  CUDA_TRY(cudaStreamSynchronize(stream));
  CUDA_TRY(cudaMemPoolTrimTo(pool, 0));
  CUDA_TRY(cudaMemPoolDestroy(own));
  CUDA_TRY(cudaStreamDestroy(stream));
  printf("sum %d, expected %d\n%s\n", got, want, ok && got == want ? "PASS" : "FAIL");
  return ok && got == want ? 0 : 1;
}
