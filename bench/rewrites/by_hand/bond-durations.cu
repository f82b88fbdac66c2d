// SPDX-License-Identifier: Apache-2.0
// Price and duration of coupon bonds, launched in blocks of 256 threads.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Bond {
  float coupon, yield;
  int periods;
};

__global__ void durations(const Bond* bonds, float* price, float* duration, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Bond b = bonds[i];
  float discount = 1.0f / (1.0f + b.yield);
  float factor = 1.0f, pv = 0.0f, weighted = 0.0f;
  for (int t = 1; t <= b.periods; ++t) {
    factor *= discount;
    float cash = b.coupon + (t == b.periods ? 100.0f : 0.0f);
    pv += cash * factor;
    weighted += t * cash * factor;
  }
  price[i] = pv;
  duration[i] = weighted / pv;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  std::vector<Bond> bonds(n);
  unsigned s = 60;
  for (Bond& b : bonds) {
    s = s * 1664525u + 1013904223u;
    b.coupon = 1.0f + ((s >> 9) % 60) / 10.0f;
    b.yield = 0.005f + ((s >> 16) % 50) / 1000.0f;
    b.periods = 60;
  }
  Bond* dBonds;
  float *dPrice, *dDuration;
  cudaMalloc(&dBonds, n * sizeof(Bond));
  cudaMalloc(&dPrice, n * sizeof(float));
  cudaMalloc(&dDuration, n * sizeof(float));
  cudaMemcpy(dBonds, bonds.data(), n * sizeof(Bond), cudaMemcpyHostToDevice);
  const int threads = 256;
  int blocks = (n + threads - 1) / threads;
  durations<<<blocks, threads>>>(dBonds, dPrice, dDuration, n);
  std::vector<float> price(n), duration(n);
  cudaMemcpy(price.data(), dPrice, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(duration.data(), dDuration, n * sizeof(float), cudaMemcpyDeviceToHost);
  double p = 0, d = 0;
  for (int i = 0; i < n; ++i) {
    p += price[i];
    d += duration[i];
  }
  std::printf("mean price %.4f mean duration %.4f\n", p / n, d / n);
  cudaFree(dBonds);
  cudaFree(dPrice);
  cudaFree(dDuration);
  return 0;
}
