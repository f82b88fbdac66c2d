// SPDX-License-Identifier: Apache-2.0
// The branches and reductions of the ME964 lecture: one branch splits a warp and one does not, one
// reduction diverges in every warp and one only in the last. The lecture's second loop never ends
// and starts out of range; here it is set right.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define WARP_SIZE 32
#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t status = (call);                                                             \
    if (status != cudaSuccess) {                                                                   \
      printf("FAIL: %s\n", cudaGetErrorString(status));                                            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__host__ __device__ float longWay(float x) {
  for (int i = 0; i < 20; ++i)
    x = x * 0.5f + 1.0f; // exact: the values stay short
  return x;
}
__host__ __device__ float shortWay(float x) {
  return x - 1.0f;
}

// Lanes 0, 1 and 2 of the first warp take the other path.
__global__ void branchInsideWarp(float* data) {
  if (threadIdx.x > 2)
    data[threadIdx.x] = longWay(data[threadIdx.x]);
  else
    data[threadIdx.x] = shortWay(data[threadIdx.x]);
}

// Warps 0 and 1 take the other path as a whole.
__global__ void branchBetweenWarps(float* data) {
  if (threadIdx.x / WARP_SIZE >= 2)
    data[threadIdx.x] = longWay(data[threadIdx.x]);
  else
    data[threadIdx.x] = shortWay(data[threadIdx.x]);
}

__global__ void reduceDivergent(const int* in, int* out) {
  extern __shared__ int partialSum[];
  const unsigned t = threadIdx.x;
  partialSum[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0)
      partialSum[t] += partialSum[t + stride];
  }
  if (t == 0)
    out[blockIdx.x] = partialSum[0];
}

__global__ void reduceBetter(const int* in, int* out) {
  extern __shared__ int partialSum[];
  const unsigned t = threadIdx.x;
  partialSum[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned stride = blockDim.x / 2; stride >= 1; stride >>= 1) {
    __syncthreads();
    if (t < stride)
      partialSum[t] += partialSum[t + stride];
  }
  if (t == 0)
    out[blockIdx.x] = partialSum[0];
}

static int failures = 0;

template <class Kernel> void checkBranch(const char* name, Kernel kernel, int firstLong) {
  const int threads = 128;
  std::vector<float> host(threads);
  for (int i = 0; i < threads; ++i)
    host[i] = 2.0f + float(i) * 1048576.0f / 128.0f;
  const std::vector<float> before = host;
  float* device = nullptr;
  CHECK(cudaMalloc(&device, threads * sizeof(float)));
  CHECK(cudaMemcpy(device, host.data(), threads * sizeof(float), cudaMemcpyHostToDevice));
  kernel<<<1, threads>>>(device);
  CHECK(cudaMemcpy(host.data(), device, threads * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  for (int i = 0; i < threads; ++i)
    if (host[i] != (i >= firstLong ? longWay(before[i]) : shortWay(before[i])) && failures++ < 8)
      printf("FAIL: %s: thread %d has %g\n", name, i, host[i]);
}

template <class Kernel> void checkReduction(const char* name, Kernel kernel, int blocks) {
  const int threads = 512;
  std::vector<int> host(blocks * threads), sums(blocks);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = int(i * 7919 % 1000) - 300;
  int *in = nullptr, *out = nullptr;
  cudaEvent_t begin, end;
  float milliseconds = 0;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMalloc(&in, host.size() * sizeof(int)));
  CHECK(cudaMalloc(&out, blocks * sizeof(int)));
  CHECK(cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaEventRecord(begin));
  kernel<<<blocks, threads, threads * sizeof(int)>>>(in, out);
  CHECK(cudaEventRecord(end));
  CHECK(cudaMemcpy(sums.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  for (int b = 0; b < blocks; ++b) {
    int want = 0;
    for (int t = 0; t < threads; ++t)
      want += host[b * threads + t];
    if (sums[b] != want && failures++ < 8)
      printf("FAIL: %s: block %d has %d, expected %d\n", name, b, sums[b], want);
  }
  printf("%-16s %d blocks of %d: %.3f ms\n", name, blocks, threads, milliseconds);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? atoi(argv[1]) : 32;
  checkBranch("inside a warp", branchInsideWarp, 3);
  checkBranch("between warps", branchBetweenWarps, 2 * WARP_SIZE);
  checkReduction("divergent", reduceDivergent, blocks);
  checkReduction("better", reduceBetter, blocks);
  printf(failures ? "FAIL: %d differences\n" : "PASS\n", failures);
  return failures != 0;
}
