// SPDX-License-Identifier: Apache-2.0
// Live spins take a long update, then every spin reads what its partner in the block wrote.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void updatePairs(const unsigned char* live, unsigned* spin, unsigned* agreement,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && live[i]) {
    unsigned v = spin[i];
    for (int k = 0; k < 50; ++k) {
      v ^= v << 13;
      v ^= v >> 17;
      v ^= v << 5;
    }
    spin[i] = v;
  }
  __syncthreads();
  if (i < n) {
    int partner = i ^ 7;
    if (partner < n) agreement[i] = __popc(~(spin[i] ^ spin[partner]));
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::vector<unsigned char> live(n);
  std::vector<unsigned> spin(n), agreement(n);
  unsigned s = 1925;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    spin[i] = s | 1u;
    live[i] = (s >> 17) % 10 == 0;
  }
  unsigned char* dLive;
  unsigned *dSpin, *dAgreement;
  cudaMalloc(&dLive, n);
  cudaMalloc(&dSpin, n * sizeof(unsigned));
  cudaMalloc(&dAgreement, n * sizeof(unsigned));
  cudaMemcpy(dLive, live.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(dSpin, spin.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(dAgreement, 0, n * sizeof(unsigned));
  updatePairs<<<(n + 255) / 256, 256>>>(dLive, dSpin, dAgreement, n);
  cudaMemcpy(agreement.data(), dAgreement, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i) sum += 1ull * agreement[i] * (i % 9 + 1);
  std::printf("agreement %llu\n", sum);
  cudaFree(dLive);
  cudaFree(dSpin);
  cudaFree(dAgreement);
  return 0;
}
