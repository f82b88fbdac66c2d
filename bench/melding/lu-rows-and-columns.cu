// SPDX-License-Identifier: Apache-2.0
// The border of a blocked LU decomposition: the first half of a warp solves a tile's columns in its
// row of tiles, the second half the rows in its column of tiles.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int tile = 16;

__global__ void border(float* matrix, int width) {
  __shared__ float pivot[tile][tile], right[tile][tile], below[tile][tile];
  const int tx = threadIdx.x;
  const int next = (blockIdx.x + 1) * tile;
  for (int k = tx; k < tile * tile; k += 2 * tile) {
    pivot[k / tile][k % tile] = matrix[(k / tile) * width + k % tile];
    right[k / tile][k % tile] = matrix[(k / tile) * width + next + k % tile];
    below[k / tile][k % tile] = matrix[(next + k / tile) * width + k % tile];
  }
  __syncthreads();
  if (tx < tile) {
    const int own = tx;
    for (int i = 1; i < tile; ++i)
      for (int j = 0; j < i; ++j)
        right[i][own] = fmaf(-pivot[i][j], right[j][own], right[i][own]);
  } else {
    const int own = tx - tile;
    for (int i = 0; i < tile; ++i) {
      for (int j = 0; j < i; ++j)
        below[own][i] = fmaf(-below[own][j], pivot[j][i], below[own][i]);
      below[own][i] /= pivot[i][i];
    }
  }
  __syncthreads();
  for (int k = tx; k < tile * tile; k += 2 * tile) {
    matrix[(k / tile) * width + next + k % tile] = right[k / tile][k % tile];
    matrix[(next + k / tile) * width + k % tile] = below[k / tile][k % tile];
  }
}

int main(int argc, char** argv) {
  const int tiles = argc > 1 ? std::atoi(argv[1]) : 60;
  const int width = (tiles + 1) * tile;
  std::vector<float> matrix(std::size_t(width) * width);
  unsigned state = 3;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    matrix[i] = float(state >> 24) / 256 + (i % (width + 1) == 0 ? 20 : 0);
  }
  float* device;
  cudaMalloc(&device, matrix.size() * sizeof(float));
  cudaMemcpy(device, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice);
  border<<<tiles, 2 * tile>>>(device, width);
  cudaMemcpy(matrix.data(), device, matrix.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (const float each : matrix)
    sum += each;
  std::printf("check %.6f\n", sum);
  cudaFree(device);
  return 0;
}
