// SPDX-License-Identifier: Apache-2.0
// COVERS: volatile, __syncwarp, warp-synchronous code
// The old reduction whose last warp works on volatile shared memory, with the __syncwarp of today.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <unsigned blockSize> __device__ void warpReduce(volatile int* sdata, unsigned tid) {
  int v = sdata[tid];
  if (blockSize >= 64) {
    v += sdata[tid + 32];
    __syncwarp();
    sdata[tid] = v;
    __syncwarp();
  }
  for (int offset = 16; offset > 0; offset >>= 1) {
    v += sdata[tid + offset];
    __syncwarp();
    sdata[tid] = v;
    __syncwarp();
  }
}

template <unsigned blockSize> __global__ void reduce(const int* in, int* out, int n) {
  __shared__ int sdata[blockSize + 32]; // the last lanes read beyond the block
  unsigned tid = threadIdx.x;
  if (tid < 32)
    sdata[blockSize + tid] = 0;
  int sum = 0;
  for (int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x)
    sum += in[i];
  sdata[tid] = sum;
  __syncthreads();
  for (unsigned s = blockSize / 2; s > 32; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32)
    warpReduce<blockSize>(sdata, tid);
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}

// A flag that another thread of the block sets.
__global__ void handOver(volatile int* flag, int* out) {
  volatile __shared__ int box;
  if (threadIdx.x == 0)
    box = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    box = 17;
    __threadfence_block();
    *flag = 1;
  } else if (threadIdx.x == 32) {
    while (*flag == 0) {
    }
    __threadfence_block();
    *out = box;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000, want = 0;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i)
    want += h[i] = i % 37 - 9;
  int *in, *out, part[6], box = 0;
  if (cudaMalloc(&in, n * 4) || cudaMalloc(&out, sizeof part))
    return puts("FAIL"), 1;
  cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice);
  bool ok = true;
  for (int round = 0; round < 3; ++round) {
    if (round == 0)
      reduce<256><<<6, 256>>>(in, out, n);
    else if (round == 1)
      reduce<64><<<6, 64>>>(in, out, n);
    else
      reduce<32><<<6, 32>>>(in, out, n);
    ok = cudaMemcpy(part, out, sizeof part, cudaMemcpyDeviceToHost) == cudaSuccess && ok;
    int sum = 0;
    for (int p : part)
      sum += p;
    if (sum != want)
      printf("round %d: %d, expected %d\n", round, sum, want);
    ok = ok && sum == want;
  }
  cudaMemset(out, 0, 8);
  handOver<<<1, 64>>>(out, out + 1);
  ok = cudaMemcpy(&box, out + 1, 4, cudaMemcpyDeviceToHost) == cudaSuccess && box == 17 && ok;
  cudaFree(in);
  cudaFree(out);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
