// SPDX-License-Identifier: Apache-2.0
// Halftones the mid-grey pixels; the threshold pattern and the seed follow the thread's number.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void halftone(const unsigned char* grey, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int g = grey[i];
  if (g < 112 || g > 144) {
    out[i] = g < 112 ? 0 : 255;
    return;
  }
  unsigned s = threadIdx.x * 2654435761u + 1u;
  int hits = 0;
  for (int k = 0; k < 64; ++k) {
    s = s * 1664525u + 1013904223u;
    hits += (s >> 24) < static_cast<unsigned>(g);
  }
  out[i] = hits > 24 + static_cast<int>(threadIdx.x % 16) ? 255 : 0;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::vector<unsigned char> grey(n);
  unsigned s = 300;
  for (unsigned char& g : grey) {
    s = s * 1664525u + 1013904223u;
    g = static_cast<unsigned char>(s >> 24);
  }
  unsigned char *dGrey, *dOut;
  cudaMalloc(&dGrey, n);
  cudaMalloc(&dOut, n);
  cudaMemcpy(dGrey, grey.data(), n, cudaMemcpyHostToDevice);
  halftone<<<(n + 255) / 256, 256>>>(dGrey, dOut, n);
  cudaMemcpy(grey.data(), dOut, n, cudaMemcpyDeviceToHost);
  unsigned long long check = 0, white = 0;
  for (unsigned char g : grey) {
    check = check * 31 + g;
    white += g == 255;
  }
  std::printf("white %llu check %016llx\n", white, check);
  cudaFree(dGrey);
  cudaFree(dOut);
  return 0;
}
