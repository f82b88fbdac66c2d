// SPDX-License-Identifier: Apache-2.0
// Row sums and column sums of each 32x32 tile; one half of the block takes rows, one columns.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define T 32

__global__ void tileSums(const int* matrix, int* rowSum, int* colSum, int pitch) {
  __shared__ int tile[T][T + 1];
  int baseX = blockIdx.x * T, baseY = blockIdx.y * T;
  for (int k = threadIdx.x; k < T * T; k += blockDim.x) {
    tile[k / T][k % T] = matrix[(baseY + k / T) * pitch + baseX + k % T];
  }
  __syncthreads();
  int tileId = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x < T) {
    int r = threadIdx.x;
    int sum = 0;
    for (int c = 0; c < T; ++c) {
      sum += tile[r][c] * (c + 1);
    }
    rowSum[tileId * T + r] = sum;
  } else {
    int c = threadIdx.x - T;
    int sum = 0;
    for (int r = 0; r < T; ++r) {
      sum += tile[r][c] * (r + 1);
    }
    colSum[tileId * T + c] = sum;
  }
}

int main(int argc, char** argv) {
  int cells = argc > 1 ? std::atoi(argv[1]) : 4000000;
  int tilesX = 50;
  int tilesY = (cells + tilesX * T * T - 1) / (tilesX * T * T);
  int pitch = tilesX * T;
  size_t n = size_t(pitch) * tilesY * T;
  std::vector<int> matrix(n);
  unsigned s = 2;
  for (int& v : matrix) {
    s = s * 1664525u + 1013904223u;
    v = (s >> 16) % 500;
  }
  size_t sums = size_t(tilesX) * tilesY * T;
  int *dMatrix, *dRow, *dCol;
  cudaMalloc(&dMatrix, n * sizeof(int));
  cudaMalloc(&dRow, sums * sizeof(int));
  cudaMalloc(&dCol, sums * sizeof(int));
  cudaMemcpy(dMatrix, matrix.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  tileSums<<<dim3(tilesX, tilesY), 2 * T>>>(dMatrix, dRow, dCol, pitch);
  std::vector<int> row(sums), col(sums);
  cudaMemcpy(row.data(), dRow, sums * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(col.data(), dCol, sums * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned long long a = 0, b = 0;
  for (size_t k = 0; k < sums; ++k) {
    a = a * 7 + row[k];
    b = b * 7 + col[k];
  }
  std::printf("rows %016llx columns %016llx\n", a, b);
  cudaFree(dMatrix);
  cudaFree(dRow);
  cudaFree(dCol);
  return 0;
}
