// SPDX-License-Identifier: Apache-2.0
// All shortest paths by Floyd and Warshall in tiles of 16 x 16.
#include "common.h"

const int T = 16;

__global__ void diagonalTile(int* d, int n, int k) {
  __shared__ int tile[T][T];
  int x = threadIdx.x, y = threadIdx.y, at = (k * T + y) * n + k * T + x;
  tile[y][x] = d[at];
  __syncthreads();
  for (int m = 0; m < T; ++m) {
    tile[y][x] = min(tile[y][x], tile[y][m] + tile[m][x]);
    __syncthreads();
  }
  d[at] = tile[y][x];
}

__global__ void crossTiles(int* d, int n, int k) {
  if (blockIdx.x == k)
    return;
  __shared__ int middle[T][T], mine[T][T];
  int x = threadIdx.x, y = threadIdx.y;
  bool isRow = blockIdx.y == 0;
  int at = isRow ? (k * T + y) * n + blockIdx.x * T + x : (blockIdx.x * T + y) * n + k * T + x;
  middle[y][x] = d[(k * T + y) * n + k * T + x];
  mine[y][x] = d[at];
  __syncthreads();
  for (int m = 0; m < T; ++m) {
    int by = isRow ? middle[y][m] + mine[m][x] : mine[y][m] + middle[m][x];
    __syncthreads();
    mine[y][x] = min(mine[y][x], by);
    __syncthreads();
  }
  d[at] = mine[y][x];
}

__global__ void otherTiles(int* d, int n, int k) {
  if (blockIdx.x == k || blockIdx.y == k)
    return;
  __shared__ int row[T][T], column[T][T];
  int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * T + y) * n + blockIdx.x * T + x;
  row[y][x] = d[(k * T + y) * n + blockIdx.x * T + x];
  column[y][x] = d[(blockIdx.y * T + y) * n + k * T + x];
  __syncthreads();
  int best = d[at];
  for (int m = 0; m < T; ++m)
    best = min(best, column[y][m] + row[m][x]);
  d[at] = best;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 64), tiles = n / T;
  Random random(41);
  std::vector<int> d(n * n, 1 << 20);
  for (int i = 0; i < n; ++i) {
    d[i * n + i] = 0;
    for (int k = 0; k < 4; ++k)
      d[i * n + random.next() % n] = 1 + random.next() % 100;
  }
  int* device = upload(d);
  for (int k = 0; k < tiles; ++k) {
    diagonalTile<<<1, dim3(T, T)>>>(device, n, k);
    crossTiles<<<dim3(tiles, 2), dim3(T, T)>>>(device, n, k);
    otherTiles<<<dim3(tiles, tiles), dim3(T, T)>>>(device, n, k);
  }
  std::vector<int> got = download(device, n * n);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  return verdict(got == d);
}
