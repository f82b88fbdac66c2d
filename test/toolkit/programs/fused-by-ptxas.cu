// SPDX-License-Identifier: Apache-2.0
// Differences of products: nvcc leaves a*b - c*d as two products and a difference, ptxas makes one
// fused instruction of the last two. The bits that an H200 leaves are those that the test expects.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void shapes(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n];
  for (int k = 0; k < 8; ++k) {
    const float re = a * c - b * d, im = a * d + b * c; // a product of complex numbers
    const float x = a * a - b * b, y = b * im - a * re; // products that are used twice
    const float det = a * (b * d - c * c) - b * (a * d - b * c) + c * (a * c - b * b);
    const float s = re * re;
    const float t = s - x;
    const float u = s + det * 0.125f;
    a = 0.5f * re + 0.25f * t;
    b = 0.5f * im - 0.125f * y;
    c = c * 0.75f - u * 0.0625f;
    d = (d * x - y * c) * 0.25f + 0.5f;
  }
  out[i] = a + b - c * d;
}

__global__ void doubles(const float* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[i], b = in[i + n], c = in[i + 2 * n];
  for (int k = 0; k < 8; ++k) {
    const double x = a * b - c * c, y = b * b - a * c;
    a = x * 0.5;
    b = y * c - x * a;
    c = c * 0.5 - x * y;
  }
  out[i] = a * b - b * c;
}

/// One number of the bits of all values.
template <class Bits, class T> unsigned long long digest(const std::vector<T>& values) {
  unsigned long long sum = 0;
  for (const T& value : values) {
    Bits bits;
    memcpy(&bits, &value, sizeof bits);
    sum = sum * 31 + bits;
  }
  return sum;
}

int main() {
  const int n = 1 << 14;
  std::vector<float> values(4 * n), singles(n);
  std::vector<double> wide(n);
  unsigned state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = (int(state >> 8) - 8388608) / 16777216.f; // exact on every host
  }
  float *in = nullptr, *out = nullptr;
  double* wideOut = nullptr;
  cudaMalloc(&in, values.size() * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&wideOut, n * sizeof(double));
  cudaMemcpy(in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  shapes<<<n / 128, 128>>>(in, out, n);
  doubles<<<n / 128, 128>>>(in, wideOut, n);
  cudaMemcpy(singles.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(wide.data(), wideOut, n * sizeof(double), cudaMemcpyDeviceToHost);
  printf("bits %016llx %016llx\n", digest<unsigned>(singles), digest<unsigned long long>(wide));
}
