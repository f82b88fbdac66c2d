// SPDX-License-Identifier: Apache-2.0
//
// Sums of floats by atomics, in any order on a GPU. What is left when they are taken from each other is noise, and so are the
// last digits that are printed.
#include <cstdio>

__global__ void addAll(const float* values, float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(total, values[i]);
}

__global__ void takeAway(const float* total, float exact, float* rest) {
  *rest = *total - exact;
}

int main() {
  const int n = 1 << 15;
  static float values[n];
  double exact = 0;
  unsigned seed = 7;
  for (float& each : values) {
    seed = seed * 1664525u + 1013904223u;
    each = float(seed >> 8) / (1 << 24);
    exact += each;
  }
  float *device, *total, *rest;
  cudaMalloc(&device, sizeof values);
  cudaMalloc(&total, sizeof(float));
  cudaMalloc(&rest, sizeof(float));
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(float));
  addAll<<<n / 256, 256>>>(device, total, n);
  takeAway<<<1, 1>>>(total, float(exact), rest);
  float sum = 0, left = 0;
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemcpy(&left, rest, sizeof left, cudaMemcpyDeviceToHost);
  printf("%.0f thousandths\n", 1000 * sum);
  printf("%d values\n", n);
}
