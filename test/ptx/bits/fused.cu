// SPDX-License-Identifier: Apache-2.0
//
// Differences of products in loops: nvcc leaves a*b - c*d as mul, mul, sub without .rn, and ptxas makes one FFMA of it.
// An H200 prints: bits 1d435c784e821883 669a7bef00df215e
#include <cstdio>
#include <cstring>

__global__ void shapes(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n];
  for (int k = 0; k < 8; ++k) {
    float re = a * c - b * d, im = a * d + b * c; // complex product
    float x = a * a - b * b, y = b * im - a * re; // a product that is used twice
    float det = a * (b * d - c * c) - b * (a * d - b * c) + c * (a * c - b * b);
    float s = re * re;
    float t = s - x;
    float u = s + det * 0.125f;
    a = 0.5f * re + 0.25f * t;
    b = 0.5f * im - 0.125f * y;
    c = c * 0.75f - u * 0.0625f;
    d = (d * x - y * c) * 0.25f + 0.5f;
  }
  out[i] = a + b - c * d;
}

__global__ void doubles(const float* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a = in[i], b = in[i + n], c = in[i + 2 * n];
  for (int k = 0; k < 8; ++k) {
    double x = a * b - c * c, y = b * b - a * c;
    a = x * 0.5;
    b = y * c - x * a;
    c = c * 0.5 - x * y;
  }
  out[i] = a * b - b * c;
}

int main() {
  const int n = 1 << 14;
  static float h[4 * n], r[n];
  static double q[n];
  unsigned s = 1;
  for (float& v : h) {
    s = s * 1664525u + 1013904223u;
    v = (int(s >> 8) - 8388608) / 16777216.f; // exact on every host
  }
  float *in, *out;
  double* two;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof r);
  cudaMalloc(&two, sizeof q);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  shapes<<<n / 128, 128>>>(in, out, n);
  doubles<<<n / 128, 128>>>(in, two, n);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  cudaMemcpy(q, two, sizeof q, cudaMemcpyDeviceToHost);
  unsigned long long f = 0, g = 0;
  for (int i = 0; i < n; ++i) {
    unsigned w;
    unsigned long long v;
    memcpy(&w, r + i, 4);
    memcpy(&v, q + i, 8);
    f = f * 31 + w;
    g = g * 31 + v;
  }
  printf("bits %016llx %016llx\n", f, g);
}
