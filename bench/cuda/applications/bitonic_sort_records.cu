// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of records with double keys, in shared memory and by strided global stages.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

struct Record {
  double key;
  int id;
  float payload;
};

static const int CHUNK = 1024; // records in shared memory

#define cudaCheck(ans)                                                                             \
  {                                                                                                \
    gpuAssert((ans), __FILE__, __LINE__);                                                          \
  }
inline void gpuAssert(cudaError_t code, const char* file, int line) {
  if (code != cudaSuccess) {
    printf("FAIL GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    exit(1);
  }
}

__device__ __forceinline__ bool greaterThan(const Record& a, const Record& b) {
  return a.key > b.key || (a.key == b.key && a.id > b.id);
}

__device__ __forceinline__ void compareSwap(Record& a, Record& b, bool ascending) {
  if (greaterThan(a, b) == ascending) {
    Record t = a;
    a = b;
    b = t;
  }
}

__global__ void generate(Record* r, int n, int padded) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= padded)
    return;
  if (i < n) {
    unsigned int h = i * 747796405u + 2891336453u;
    h = ((h >> ((h >> 28) + 4)) ^ h) * 277803737u;
    h = (h >> 22) ^ h;
    r[i].key = sin((double)(h % 500000));
    r[i].id = i;
    r[i].payload = (float)(h & 0xff);
  } else {
    r[i].key = 1e300;
    r[i].id = i;
    r[i].payload = 0.0f;
  }
}

__global__ void sortChunk(Record* r) {
  __shared__ Record s[CHUNK];
  int base = blockIdx.x * CHUNK;
  for (int i = threadIdx.x; i < CHUNK; i += blockDim.x)
    s[i] = r[base + i];
  for (int k = 2; k <= CHUNK; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      int lo = (threadIdx.x / j) * 2 * j + threadIdx.x % j;
      bool up = ((base + lo) & k) == 0;
      compareSwap(s[lo], s[lo + j], up);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < CHUNK; i += blockDim.x)
    r[base + i] = s[i];
}

__global__ void globalStep(Record* r, int half, int k, int j) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < half) {
    int lo = 2 * j * (t / j) + (t & (j - 1));
    bool up = (lo & k) == 0;
    Record a = r[lo];
    Record b = r[lo + j];
    if (greaterThan(a, b) == up) {
      r[lo] = b;
      r[lo + j] = a;
    }
  }
}

__global__ void mergeShared(Record* r, int k) {
  __shared__ Record s[CHUNK];
  int base = blockIdx.x * CHUNK;
  s[threadIdx.x] = r[base + threadIdx.x];
  s[threadIdx.x + CHUNK / 2] = r[base + threadIdx.x + CHUNK / 2];
  bool up = (base & k) == 0;
#pragma unroll
  for (int j = CHUNK / 2; j > 0; j >>= 1) {
    __syncthreads();
    int lo = 2 * threadIdx.x - (threadIdx.x & (j - 1));
    compareSwap(s[lo], s[lo + j], up);
  }
  __syncthreads();
  r[base + threadIdx.x] = s[threadIdx.x];
  r[base + threadIdx.x + CHUNK / 2] = s[threadIdx.x + CHUNK / 2];
}

int main(int argc, char* argv[]) {
  int n = (argc > 1) ? atoi(argv[1]) : 8192;
  int padded = CHUNK;
  while (padded < n)
    padded *= 2;
  Record* d_r;
  cudaCheck(cudaMalloc(&d_r, padded * sizeof(Record)));
  generate<<<(padded + 255) / 256, 256>>>(d_r, n, padded);
  std::vector<Record> before(n), after(n);
  cudaCheck(cudaMemcpy(before.data(), d_r, n * sizeof(Record), cudaMemcpyDeviceToHost));

  cudaEvent_t start, stop;
  cudaCheck(cudaEventCreate(&start));
  cudaCheck(cudaEventCreate(&stop));
  cudaCheck(cudaEventRecord(start));
  sortChunk<<<padded / CHUNK, CHUNK / 2>>>(d_r);
  for (int k = CHUNK * 2; k <= padded; k *= 2) {
    for (int j = k / 2; j >= CHUNK; j /= 2)
      globalStep<<<(padded / 2 + 255) / 256, 256>>>(d_r, padded / 2, k, j);
    mergeShared<<<padded / CHUNK, CHUNK / 2>>>(d_r, k);
  }
  cudaCheck(cudaEventRecord(stop));
  cudaCheck(cudaEventSynchronize(stop));
  float ms = 0;
  cudaCheck(cudaEventElapsedTime(&ms, start, stop));
  cudaCheck(cudaMemcpy(after.data(), d_r, n * sizeof(Record), cudaMemcpyDeviceToHost));
  cudaCheck(cudaFree(d_r));

  std::sort(before.begin(), before.end(), [](const Record& a, const Record& b) {
    return a.key < b.key || (a.key == b.key && a.id < b.id);
  });
  int errors = 0;
  for (int i = 0; i < n; i++)
    if (before[i].key != after[i].key || before[i].id != after[i].id ||
        before[i].payload != after[i].payload)
      errors++;
  printf("%d records sorted in %.3f ms\n", n, ms);
  if (errors) {
    printf("FAIL %d records out of place\n", errors);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
