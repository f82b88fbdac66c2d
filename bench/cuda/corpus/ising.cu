// SPDX-License-Identifier: Apache-2.0
// Gibbs sampling of the Ising model, a checkerboard half at a time.
#include "common.h"

__host__ __device__ signed char sample(const signed char* spins, int x, int y, int n,
                                       unsigned seed) {
  int left = (x + n - 1) % n, right = (x + 1) % n, above = (y + n - 1) % n, below = (y + 1) % n;
  int field =
      spins[y * n + left] + spins[y * n + right] + spins[above * n + x] + spins[below * n + x];
  const unsigned limit[5] = {491520, 2370560, 8388608, 14406656, 16285696}; // of 2^24
  Random random(seed * 7919u + y * n + x);
  random.next();
  return (random.next() >> 8) < limit[field / 2 + 2] ? 1 : -1;
}

__global__ void flipHalf(signed char* spins, int n, int color, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, half = n / 2;
  if (i >= n * half)
    return;
  int y = i / half, x = 2 * (i % half) + ((y + color) & 1);
  spins[y * n + x] = sample(spins, x, y, n, seed);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 64), sweeps = 4;
  std::vector<signed char> spins(n * n, 1);
  signed char* device = upload(spins);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int color = 0; color < 2; ++color)
      flipHalf<<<(n * n / 2 + 255) / 256, 256>>>(device, n, color, 2 * sweep + color);
  std::vector<signed char> got = download(device, n * n);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int color = 0; color < 2; ++color)
      for (int y = 0; y < n; ++y)
        for (int x = (y + color) & 1; x < n; x += 2)
          spins[y * n + x] = sample(spins.data(), x, y, n, 2 * sweep + color);
  return verdict(got == spins);
}
