// SPDX-License-Identifier: Apache-2.0
// Loops that are unrolled whole, in fours by the program's wish, and not at all: one with break and
// continue, whose turns differ from lane to lane.
#include <cstdio>
#include <vector>

constexpr int taps = 8;

__global__ void whole(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float weights[taps] = {0.5f, -1, 2, 0.25f, 3, -0.125f, 1.5f, -2.5f};
  float sum = 0;
  for (int k = 0; k < taps; ++k)
    if (i + k < n)
      sum += weights[k] * in[i + k];
  out[i] = sum;
}

__global__ void inFours(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = in[i];
#pragma unroll 4
  for (int k = 0; k < i % 45; ++k)
    most = fmaxf(most, in[(i + k * 7) % n] - most * 0.25f);
  out[i] = most;
}

__global__ void search(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int found = -1, seen = 0;
#pragma unroll 1
  for (int k = 0; k < 200; ++k) {
    const int value = in[(i + k * 5) % n];
    if (value % 3 == 0)
      continue;
    ++seen;
    if (value % 61 == i % 61) {
      found = k;
      break;
    }
  }
  out[i] = found * 256 + seen;
}

template <class T> double total(const T* device, int n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (const T value : values)
    sum += value;
  return sum;
}

int main() {
  const int n = 1 << 13;
  std::vector<float> numbers(n);
  std::vector<int> whole_numbers(n);
  unsigned state = 5;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    whole_numbers[i] = int(state >> 20);
    numbers[i] = float(int(state >> 24) - 128); // sums of these are exact
  }
  float *in = nullptr, *out = nullptr;
  int *words = nullptr, *found = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&words, n * sizeof(int));
  cudaMalloc(&found, n * sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(words, whole_numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  whole<<<n / 128, 128>>>(in, out, n);
  printf("%.9g\n", total(out, n));
  inFours<<<n / 128, 128>>>(in, out, n);
  printf("%.9g\n", total(out, n));
  search<<<n / 128, 128>>>(words, found, n);
  printf("%.9g\n", total(found, n));
}
