// SPDX-License-Identifier: Apache-2.0
// Energy of each segment of a signal; the first thread of a block adds up the block's squares.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SEGMENT 256

__global__ void segmentEnergy(const short* signal, int* energy, int n) {
  __shared__ int part[SEGMENT / 32];
  int i = blockIdx.x * SEGMENT + threadIdx.x;
  int v = i < n ? signal[i] : 0;
  int sum = __reduce_add_sync(~0u, v * v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < SEGMENT / 32 ? part[threadIdx.x] : 0;
    sum = __reduce_add_sync(~0u, sum);
    if (threadIdx.x == 0) energy[blockIdx.x] = sum;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  int segments = (n + SEGMENT - 1) / SEGMENT;
  std::vector<short> signal(n);
  unsigned s = 100;
  for (short& v : signal) {
    s = s * 1664525u + 1013904223u;
    v = static_cast<short>((s >> 20) % 2001) - 1000;
  }
  short* dSignal;
  int* dEnergy;
  cudaMalloc(&dSignal, n * sizeof(short));
  cudaMalloc(&dEnergy, segments * sizeof(int));
  cudaMemcpy(dSignal, signal.data(), n * sizeof(short), cudaMemcpyHostToDevice);
  segmentEnergy<<<segments, SEGMENT>>>(dSignal, dEnergy, n);
  std::vector<int> energy(segments);
  cudaMemcpy(energy.data(), dEnergy, segments * sizeof(int), cudaMemcpyDeviceToHost);
  long long total = 0;
  int loudest = 0;
  for (int k = 0; k < segments; ++k) {
    total += energy[k];
    if (energy[k] > energy[loudest]) loudest = k;
  }
  std::printf("total %lld, loudest segment %d\n", total, loudest);
  cudaFree(dSignal);
  cudaFree(dEnergy);
  return 0;
}
