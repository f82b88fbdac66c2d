// SPDX-License-Identifier: Apache-2.0
// Sums an array twice: by a tree in shared memory, and by shuffles within warps. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

__global__ void reduceTree(const int* in, long long* out, int n) {
  extern __shared__ long long sdata[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x * 2 + tid;
  long long mine = i < n ? in[i] : 0;
  if (i + blockDim.x < n)
    mine += in[i + blockDim.x];
  sdata[tid] = mine;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}

__inline__ __device__ int warpReduceSum(int val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__inline__ __device__ int blockReduceSum(int val) {
  static __shared__ int shared[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0)
    shared[wid] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
  if (wid == 0)
    val = warpReduceSum(val);
  return val;
}

__global__ void reduceShuffle(const int* in, unsigned long long* out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0)
    atomicAdd(out, (unsigned long long)(long long)sum);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100003;
  std::vector<int> h(n);
  long long want = 0;
  for (int i = 0; i < n; ++i)
    want += h[i] = i * 7919 % 2001 - 1000;
  const int threads = 256, blocks = (n + threads * 2 - 1) / (threads * 2);
  int* d_in;
  long long *d_parts, total = 0;
  unsigned long long* d_sum;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_parts, blocks * sizeof(long long)));
  CUDA_CHECK(cudaMalloc(&d_sum, sizeof(*d_sum)));
  CUDA_CHECK(cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_sum, 0, sizeof(*d_sum)));
  cudaEvent_t start, middle, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&middle));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  reduceTree<<<blocks, threads, threads * sizeof(long long)>>>(d_in, d_parts, n);
  CUDA_CHECK(cudaEventRecord(middle));
  reduceShuffle<<<32, threads>>>(d_in, d_sum, n);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<long long> parts(blocks);
  CUDA_CHECK(cudaMemcpy(parts.data(), d_parts, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
  for (long long part : parts)
    total += part;
  unsigned long long sum = 0;
  CUDA_CHECK(cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost));
  float tree, shuffle;
  CUDA_CHECK(cudaEventElapsedTime(&tree, start, middle));
  CUDA_CHECK(cudaEventElapsedTime(&shuffle, middle, stop));
  printf("%d elements: tree %.3f ms, shuffles %.3f ms\n", n, tree, shuffle);
  bool ok = total == want && (long long)sum == want;
  if (!ok)
    printf("FAIL: tree %lld, shuffles %lld, expected %lld\n", total, (long long)sum, want);
  else
    printf("PASS\n");
  return ok ? 0 : 1;
}
