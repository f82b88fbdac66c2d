// SPDX-License-Identifier: Apache-2.0
// Scales each audio frame by its own peak, found by one thread of the block.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

constexpr int FRAME = 512;

__global__ void scaleFrames(const float* in, float* out, int n) {
  __shared__ float frame[FRAME];
  __shared__ float peak;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  frame[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float m = 1e-6f;
    for (int k = 0; k < FRAME; ++k) {
      float a = fabsf(frame[k]);
      if (a > m) m = a;
    }
    peak = m;
  }
  __syncthreads();
  if (i < n) {
    out[i] = frame[threadIdx.x] / peak;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::mt19937 gen(440);
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) {
    float gain = 1.0f + (i / 9000) % 13;
    x[i] = gain * (static_cast<int>(gen() % 2001) - 1000) / 1024.0f;
  }
  float *dIn, *dOut;
  cudaMalloc(&dIn, n * sizeof(float));
  cudaMalloc(&dOut, n * sizeof(float));
  cudaMemcpy(dIn, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scaleFrames<<<(n + FRAME - 1) / FRAME, FRAME>>>(dIn, dOut, n);
  cudaMemcpy(x.data(), dOut, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0, top = 0;
  for (float v : x) {
    sum += std::fabs(v);
    top = std::fmax(top, v);
  }
  std::printf("mean magnitude %.7f top %.3f\n", sum / n, top);
  cudaFree(dIn);
  cudaFree(dOut);
  return 0;
}
