// SPDX-License-Identifier: Apache-2.0
// COVERS: cuda_pipeline.h, dynamic shared
// Batches brought into shared memory while the one before is used, in pieces of 4, 8 and 16 bytes,
// and a border of zeros. Arguments: batches.
#include <cstdio>
#include <cstdlib>

#include <cuda_pipeline.h>

constexpr int THREADS = 64, STAGES = 3;

template <class T> __device__ int sumOf(T v);
template <> __device__ int sumOf(int v) {
  return v;
}
template <> __device__ int sumOf(int2 v) {
  return v.x + v.y;
}
template <> __device__ int sumOf(int4 v) {
  return v.x + v.y + v.z + v.w;
}

template <class T> __global__ void weighted(const T* in, int* out, int batches) {
  __shared__ T buffer[STAGES][THREADS];
  int t = threadIdx.x, sum = 0;
  for (int b = 0; b < STAGES - 1; ++b) {
    if (b < batches)
      __pipeline_memcpy_async(&buffer[b][t], &in[b * THREADS + t], sizeof(T));
    __pipeline_commit();
  }
  for (int b = 0; b < batches; ++b) {
    int next = b + STAGES - 1;
    if (next < batches)
      __pipeline_memcpy_async(&buffer[next % STAGES][t], &in[next * THREADS + t], sizeof(T));
    __pipeline_commit();
    __pipeline_wait_prior(STAGES - 1);
    __syncthreads();
    sum += sumOf(buffer[b % STAGES][(t + 1) % THREADS]) * (b + 1);
    __syncthreads();
  }
  out[t] = sum;
}

// The last threads have nothing to read.
__global__ void padded(const int4* in, int* out, int n) {
  __shared__ int4 part[THREADS];
  int t = threadIdx.x, words = n - 4 * t < 0 ? 0 : n - 4 * t > 4 ? 4 : n - 4 * t;
  part[t] = make_int4(-1, -1, -1, -1);
  __pipeline_memcpy_async(&part[t], &in[words > 0 ? t : 0], 16, 16 - 4 * words);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = sumOf(part[t]);
}

template <class T> int check(int batches) {
  int n = batches * THREADS, words = sizeof(T) / sizeof(int), bad = 0;
  int *in, *out;
  if (cudaMallocManaged(&in, n * sizeof(T)) || cudaMallocManaged(&out, THREADS * sizeof(int)))
    return 1;
  for (int i = 0; i < n * words; ++i)
    in[i] = i * 7 % 101;
  weighted<<<1, THREADS>>>((const T*)in, out, batches);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  for (int t = 0; t < THREADS; ++t) {
    int want = 0;
    for (int b = 0; b < batches; ++b)
      for (int w = 0; w < words; ++w)
        want += in[(b * THREADS + (t + 1) % THREADS) * words + w] * (b + 1);
    bad += out[t] != want;
  }
  cudaFree(in);
  cudaFree(out);
  return bad;
}

int main(int argc, char** argv) {
  int batches = argc > 1 ? atoi(argv[1]) : 9, n = 4 * 40 + 3, bad = 0;
  bad += check<int>(batches) + check<int2>(batches) + check<int4>(batches);
  int *in, *out;
  if (cudaMallocManaged(&in, 16 * THREADS) || cudaMallocManaged(&out, sizeof(int) * THREADS))
    return puts("FAIL"), 1;
  for (int i = 0; i < 4 * THREADS; ++i)
    in[i] = i + 1;
  padded<<<1, THREADS>>>((const int4*)in, out, n);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  for (int t = 0; t < THREADS; ++t) {
    int want = 0;
    for (int w = 4 * t; w < 4 * t + 4 && w < n; ++w)
      want += in[w];
    bad += out[t] != want;
  }
  cudaFree(in);
  cudaFree(out);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
