// SPDX-License-Identifier: Apache-2.0
// COVERS: bfloat16, bfloat16: layer norm, warp shuffles, dynamic shared
// Layer norm over rows of bfloat16, statistics in float. Arguments: rows columns.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <cuda_bf16.h>

using floatX = __nv_bfloat16;

inline void cuda_check(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\nFAIL\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))

__device__ float blockSum(float v, float* scratch) {
  for (int o = 16; o; o >>= 1)
    v += __shfl_xor_sync(0xffffffff, v, o);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = v;
  __syncthreads();
  float total = 0;
  for (int w = 0; w < (int)blockDim.x / 32; ++w)
    total += scratch[w];
  return total;
}

__global__ void layernorm(floatX* out, const floatX* in, const floatX* gain, const floatX* bias,
                          int C) {
  extern __shared__ float row[];
  __shared__ float scratch[32];
  const floatX* x = in + (size_t)blockIdx.x * C;
  float sum = 0;
  for (int c = threadIdx.x; c < C; c += blockDim.x) {
    row[c] = __bfloat162float(x[c]);
    sum += row[c];
  }
  float mean = blockSum(sum, scratch) / C, squares = 0;
  for (int c = threadIdx.x; c < C; c += blockDim.x)
    squares += (row[c] - mean) * (row[c] - mean);
  float scale = rsqrtf(blockSum(squares, scratch) / C + 1e-5f);
  for (int c = threadIdx.x; c < C; c += blockDim.x) {
    float n = (row[c] - mean) * scale;
    out[(size_t)blockIdx.x * C + c] =
        __float2bfloat16(n * __bfloat162float(gain[c]) + __bfloat162float(bias[c]));
  }
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 16, C = argc > 2 ? atoi(argv[2]) : 200;
  std::mt19937 gen(42);
  std::uniform_real_distribution<float> dist(-2.f, 2.f);
  std::vector<floatX> in(rows * C), gain(C), bias(C), out(rows * C);
  for (auto& v : in)
    v = __float2bfloat16(dist(gen));
  for (auto& v : gain)
    v = __float2bfloat16(dist(gen));
  for (auto& v : bias)
    v = __float2bfloat16(dist(gen));
  floatX *din, *dgain, *dbias, *dout;
  cudaCheck(cudaMalloc(&din, in.size() * sizeof(floatX)));
  cudaCheck(cudaMalloc(&dgain, C * sizeof(floatX)));
  cudaCheck(cudaMalloc(&dbias, C * sizeof(floatX)));
  cudaCheck(cudaMalloc(&dout, out.size() * sizeof(floatX)));
  cudaCheck(cudaMemcpy(din, in.data(), in.size() * sizeof(floatX), cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(dgain, gain.data(), C * sizeof(floatX), cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(dbias, bias.data(), C * sizeof(floatX), cudaMemcpyHostToDevice));
  auto start = std::chrono::steady_clock::now();
  layernorm<<<rows, 128, C * sizeof(float)>>>(dout, din, dgain, dbias, C);
  cudaCheck(cudaGetLastError());
  cudaCheck(cudaDeviceSynchronize());
  auto end = std::chrono::steady_clock::now();
  fprintf(stderr, "kernel: %.3f ms\n",
          std::chrono::duration<double, std::milli>(end - start).count());
  cudaCheck(cudaMemcpy(out.data(), dout, out.size() * sizeof(floatX), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int r = 0; r < rows; ++r) {
    double mean = 0, var = 0;
    for (int c = 0; c < C; ++c)
      mean += __bfloat162float(in[r * C + c]) / (double)C;
    for (int c = 0; c < C; ++c)
      var += pow(__bfloat162float(in[r * C + c]) - mean, 2) / C;
    for (int c = 0; c < C; ++c) {
      double want =
          (__bfloat162float(in[r * C + c]) - mean) / sqrt(var + 1e-5) * __bfloat162float(gain[c]) +
          __bfloat162float(bias[c]);
      worst = fmax(worst, fabs(want - __bfloat162float(out[r * C + c])) / (0.1 + fabs(want)));
    }
  }
  printf("largest relative difference %s\n", worst < 0.006 ? "is small" : "is large");
  cudaFree(din), cudaFree(dgain), cudaFree(dbias), cudaFree(dout);
  printf("%s\n", worst < 0.006 ? "PASS" : "FAIL");
  return worst < 0.006 ? 0 : 1;
}
