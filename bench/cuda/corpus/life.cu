// SPDX-License-Identifier: Apache-2.0
// Conway's game of life on a torus, four generations.
#include "common.h"

__host__ __device__ unsigned char nextCell(const unsigned char* cells, int x, int y, int n) {
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        alive += cells[(y + dy + n) % n * n + (x + dx + n) % n];
  return alive == 3 || (alive == 2 && cells[y * n + x]);
}

__global__ void generation(const unsigned char* old, unsigned char* now, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    now[y * n + x] = nextCell(old, x, y, n);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 64);
  Random random(157);
  std::vector<unsigned char> cells(n * n), next(n * n);
  for (auto& cell : cells)
    cell = random.next() % 3 == 0;
  unsigned char *a = upload(cells), *b = allocate<unsigned char>(n * n);
  for (int step = 0; step < 4; ++step) {
    generation<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(a, b, n);
    std::swap(a, b);
    for (int i = 0; i < n * n; ++i)
      next[i] = nextCell(cells.data(), i % n, i / n, n);
    std::swap(cells, next);
  }
  return verdict(download(a, n * n) == cells);
}
