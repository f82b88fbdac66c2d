// SPDX-License-Identifier: Apache-2.0
// Checks flagged sensor frames; the one frame with a broken header is reported from the kernel.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void checkFrames(const unsigned* frames, const char* flagged, unsigned* crc, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !flagged[i]) return;
  unsigned c = 0xffffffffu ^ frames[i];
  for (int bit = 0; bit < 64; ++bit) {
    c = (c & 1u) ? (c >> 1) ^ 0xedb88320u : c >> 1;
  }
  if (frames[i] == 0xdeadbeefu) {
    printf("frame %d has a broken header\n", i);
  }
  crc[i] = c;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  std::vector<unsigned> frames(n);
  std::vector<char> flagged(n);
  unsigned s = 32;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    frames[i] = s >> 4;
    flagged[i] = (s >> 18) % 12 == 0;
  }
  frames[n / 3] = 0xdeadbeefu;
  flagged[n / 3] = 1;
  unsigned *dFrames, *dCrc;
  char* dFlagged;
  cudaMalloc(&dFrames, n * sizeof(unsigned));
  cudaMalloc(&dCrc, n * sizeof(unsigned));
  cudaMalloc(&dFlagged, n);
  cudaMemcpy(dFrames, frames.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(dFlagged, flagged.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dCrc, 0, n * sizeof(unsigned));
  checkFrames<<<(n + 255) / 256, 256>>>(dFrames, dFlagged, dCrc, n);
  cudaDeviceSynchronize();
  cudaMemcpy(frames.data(), dCrc, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned mix = 0;
  for (unsigned c : frames) mix = mix * 31u + c;
  std::printf("check %08x\n", mix);
  cudaFree(dFrames);
  cudaFree(dCrc);
  cudaFree(dFlagged);
  return 0;
}
