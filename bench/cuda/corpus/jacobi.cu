// SPDX-License-Identifier: Apache-2.0
// Jacobi iterations for the temperature of a square plate with a hot edge.
#include "common.h"

__global__ void relax(const float* old, float* now, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int i = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    now[i] = old[i];
  else
    now[i] = 0.25f * (old[i - 1] + old[i + 1] + old[i - n] + old[i + n]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 96), steps = 10;
  std::vector<float> plate(n * n, 0.0f);
  for (int x = 0; x < n; ++x)
    plate[x] = 100.0f;
  float *a = upload(plate), *b = allocate<float>(n * n);
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
  for (int step = 0; step < steps; ++step) {
    relax<<<grid, block>>>(a, b, n);
    std::swap(a, b);
  }
  std::vector<float> got = download(a, n * n), next = plate;
  for (int step = 0; step < steps; ++step) {
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) {
        int i = y * n + x;
        next[i] = 0.25f * (plate[i - 1] + plate[i + 1] + plate[i - n] + plate[i + n]);
      }
    std::swap(plate, next);
  }
  return verdict(allNear(got, plate, 1e-5));
}
