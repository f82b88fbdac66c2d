// SPDX-License-Identifier: Apache-2.0
// Poisson's equation by successive over-relaxation in red and black points, in double precision.
#include "common.h"

__global__ void relaxColor(double* u, const double* f, int n, int color, double omega) {
  int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  x += (y + color) & 1;
  if (x >= n - 1 || y >= n - 1)
    return;
  int i = y * n + x;
  double wanted = 0.25 * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i]);
  u[i] += omega * (wanted - u[i]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 66), sweeps = 5;
  std::vector<double> u(n * n, 0.0), f(n * n);
  for (int i = 0; i < n * n; ++i)
    f[i] = ((i * 37) % 101 - 50) * 1e-3;
  double *deviceU = upload(u), *deviceF = upload(f);
  dim3 block(32, 8), grid((n / 2 + 31) / 32, (n + 7) / 8);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int color = 0; color < 2; ++color)
      relaxColor<<<grid, block>>>(deviceU, deviceF, n, color, 1.5);
  std::vector<double> got = download(deviceU, n * n);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int color = 0; color < 2; ++color)
      for (int y = 1; y < n - 1; ++y)
        for (int x = 1 + ((y + color) & 1); x < n - 1; x += 2) {
          int i = y * n + x;
          u[i] += 1.5 * (0.25 * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i]) - u[i]);
        }
  return verdict(allNear(got, u, 1e-10));
}
