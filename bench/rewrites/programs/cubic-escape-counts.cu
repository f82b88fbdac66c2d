// SPDX-License-Identifier: Apache-2.0
// Escape counts of the map z -> z^3 + c over a square of the complex plane.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define LIMIT 600

__global__ void escape(int* counts, int side, double left, double top, double extent) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side) return;
  double cr = left + extent * (i % side) / side;
  double ci = top + extent * (i / side) / side;
  double zr = 0.0, zi = 0.0;
  int n = 0;
  while (n < LIMIT && zr * zr + zi * zi < 4.0) {
    double rr = zr * zr, ii = zi * zi;
    double nr = zr * (rr - 3.0 * ii) + cr;
    zi = zi * (3.0 * rr - ii) + ci;
    zr = nr;
    ++n;
  }
  counts[i] = n;
}

int main(int argc, char** argv) {
  int pixels = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  int side = static_cast<int>(std::sqrt(static_cast<double>(pixels)));
  int n = side * side;
  int* dCounts;
  cudaMalloc(&dCounts, n * sizeof(int));
  escape<<<(n + 127) / 128, 128>>>(dCounts, side, -0.9, 0.2, 1.1);
  std::vector<int> counts(n);
  cudaMemcpy(counts.data(), dCounts, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int inside = 0;
  for (int c : counts) {
    sum += c;
    inside += c == LIMIT;
  }
  std::printf("mean count %.2f, inside %.3f\n", double(sum) / n, double(inside) / n);
  cudaFree(dCounts);
  return 0;
}
