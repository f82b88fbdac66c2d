// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half: shuffles, half2, bfloat16, warp shuffles
// Warp reductions and exchanges of half, half2 and bfloat16 values by shuffles.
#include <cstdio>
#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define CUDA_SAFE_CALL(call)                                                                       \
  {                                                                                                \
    cudaError_t err = call;                                                                        \
    if (cudaSuccess != err) {                                                                      \
      fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,            \
              cudaGetErrorString(err));                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  }
#define FULL 0xffffffffu

__inline__ __device__ __half warpReduceSum(__half val) {
  for (int offset = 16; offset > 0; offset /= 2)
    val = __hadd(val, __shfl_down_sync(FULL, val, offset));
  return val;
}

__inline__ __device__ __half2 warpReduceMax(__half2 val) {
  for (int mask = 16; mask > 0; mask >>= 1)
    val = __hmax2(val, __shfl_xor_sync(FULL, val, mask));
  return val;
}

__global__ void reduceRows(const __half* in, float* sums, float2* maxima, float* neighbours) {
  int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  __half x = in[row * 32 + lane];
  __half total = warpReduceSum(x);
  __half2 most = warpReduceMax(__halves2half2(x, __hneg(x)));
  __nv_bfloat16 brain = __float2bfloat16(__half2float(x));
  __nv_bfloat16 left = __shfl_up_sync(FULL, brain, 1), first = __shfl_sync(FULL, brain, 0);
  neighbours[row * 32 + lane] = lane ? __bfloat162float(left) : -__bfloat162float(first);
  if (lane == 0) {
    sums[row] = __half2float(total);
    maxima[row] = __half22float2(most);
  }
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 64;
  rows = (rows + 3) / 4 * 4;
  int n = rows * 32;
  __half* in;
  float *sums, *neighbours;
  float2* maxima;
  CUDA_SAFE_CALL(cudaMallocManaged(&in, n * sizeof(__half)));
  CUDA_SAFE_CALL(cudaMallocManaged(&sums, rows * sizeof(float)));
  CUDA_SAFE_CALL(cudaMallocManaged(&maxima, rows * sizeof(float2)));
  CUDA_SAFE_CALL(cudaMallocManaged(&neighbours, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    in[i] = __float2half((float)(i * 7 % 23 - 11));
  reduceRows<<<rows / 4, 128>>>(in, sums, maxima, neighbours);
  CUDA_SAFE_CALL(cudaGetLastError());
  CUDA_SAFE_CALL(cudaDeviceSynchronize());
  bool ok = true;
  for (int r = 0; r < rows; ++r) {
    float sum = 0, most = -1e9f, least = 1e9f;
    for (int l = 0; l < 32; ++l) {
      float v = (float)((r * 32 + l) * 7 % 23 - 11);
      sum += v;
      most = v > most ? v : most;
      least = v < least ? v : least;
      float want = l ? (float)((r * 32 + l - 1) * 7 % 23 - 11) : -v;
      ok = ok && neighbours[r * 32 + l] == want;
    }
    if (sums[r] != sum || maxima[r].x != most || maxima[r].y != -least) {
      printf("row %d: sum %g (%g), max %g (%g), -min %g (%g)\n", r, sums[r], sum, maxima[r].x, most,
             maxima[r].y, -least);
      ok = false;
    }
  }
  cudaFree(in);
  cudaFree(sums);
  cudaFree(maxima);
  cudaFree(neighbours);
  printf(ok ? "PASS\n" : "FAIL\n");
  return ok ? 0 : 1;
}
