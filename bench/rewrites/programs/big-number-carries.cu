// SPDX-License-Identifier: Apache-2.0
// Multiplies long numbers by a digit, a block per number; one thread ripples the carries.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define LIMBS 128

__global__ void scaleNumbers(const unsigned* in, unsigned* out, unsigned factor) {
  __shared__ unsigned long long limb[LIMBS];
  size_t at = size_t(blockIdx.x) * LIMBS + threadIdx.x;
  limb[threadIdx.x] = static_cast<unsigned long long>(in[at]) * factor;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned long long carry = 0;
    for (int k = 0; k < LIMBS; ++k) {
      unsigned long long v = limb[k] + carry;
      limb[k] = v % 1000000000ull;
      carry = v / 1000000000ull;
    }
  }
  __syncthreads();
  out[at] = static_cast<unsigned>(limb[threadIdx.x]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 500000;
  int numbers = (n + LIMBS - 1) / LIMBS;
  std::vector<unsigned> limbs(size_t(numbers) * LIMBS);
  unsigned s = 65537;
  for (unsigned& l : limbs) {
    s = s * 1664525u + 1013904223u;
    l = s % 1000000000u;
  }
  unsigned *dIn, *dOut;
  size_t bytes = limbs.size() * sizeof(unsigned);
  cudaMalloc(&dIn, bytes);
  cudaMalloc(&dOut, bytes);
  cudaMemcpy(dIn, limbs.data(), bytes, cudaMemcpyHostToDevice);
  scaleNumbers<<<numbers, LIMBS>>>(dIn, dOut, 987654321u);
  cudaMemcpy(limbs.data(), dOut, bytes, cudaMemcpyDeviceToHost);
  unsigned long long check = 0;
  for (unsigned l : limbs) check = check * 31 + l;
  std::printf("check %016llx\n", check);
  cudaFree(dIn);
  cudaFree(dOut);
  return 0;
}
