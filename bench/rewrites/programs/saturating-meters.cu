// SPDX-License-Identifier: Apache-2.0
// Meters that count events up to a limit: the value is read, capped and swapped in a loop.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define METERS 64
#define LIMIT 30000u

__device__ unsigned addCapped(unsigned* meter, unsigned amount) {
  unsigned old = *meter, seen;
  do {
    seen = old;
    unsigned wanted = seen + amount > LIMIT ? LIMIT : seen + amount;
    old = atomicCAS(meter, seen, wanted);
  } while (old != seen);
  return seen;
}

__global__ void record(const unsigned char* meter, const unsigned char* amount, unsigned* meters,
                       unsigned* overflows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned before = addCapped(&meters[meter[i] % METERS], amount[i]);
    if (before == LIMIT) atomicOr(&overflows[meter[i] % METERS], 1u);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 200000;
  std::vector<unsigned char> meter(n), amount(n);
  unsigned s = 5551212;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    unsigned a = (s >> 10) & 63, b = (s >> 20) & 63;
    meter[i] = static_cast<unsigned char>(a < b ? a : b);
    amount[i] = 1 + (s >> 27) % 9;
  }
  unsigned char *dMeter, *dAmount;
  unsigned *dMeters, *dOver;
  cudaMalloc(&dMeter, n);
  cudaMalloc(&dAmount, n);
  cudaMalloc(&dMeters, METERS * sizeof(unsigned));
  cudaMalloc(&dOver, METERS * sizeof(unsigned));
  cudaMemcpy(dMeter, meter.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(dAmount, amount.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dMeters, 0, METERS * sizeof(unsigned));
  cudaMemset(dOver, 0, METERS * sizeof(unsigned));
  record<<<(n + 255) / 256, 256>>>(dMeter, dAmount, dMeters, dOver, n);
  unsigned meters[METERS];
  cudaMemcpy(meters, dMeters, sizeof(meters), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  int full = 0;
  for (unsigned m : meters) {
    sum += m;
    full += m == LIMIT;
  }
  std::printf("sum %llu full %d\n", sum, full);
  cudaFree(dMeter);
  cudaFree(dAmount);
  cudaFree(dMeters);
  cudaFree(dOver);
  return 0;
}
