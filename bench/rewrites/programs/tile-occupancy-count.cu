// SPDX-License-Identifier: Apache-2.0
// Drops the tiles of a voxel grid that hold too few occupied voxels; thread (0,0) does the count.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILE 16

__global__ void dropSparseTiles(const unsigned char* grid, unsigned char* kept, int width,
                                int height, int minimum) {
  __shared__ bool occupied[TILE][TILE];
  __shared__ int count;
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  bool inside = x < width && y < height;
  occupied[threadIdx.y][threadIdx.x] = inside && grid[y * width + x] > 40;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    count = 0;
    for (int j = 0; j < TILE; ++j) {
      for (int i = 0; i < TILE; ++i) {
        if (occupied[j][i]) ++count;
      }
    }
  }
  __syncthreads();
  if (inside) {
    bool keep = count >= minimum && occupied[threadIdx.y][threadIdx.x];
    kept[y * width + x] = keep ? grid[y * width + x] : 0;
  }
}

int main(int argc, char** argv) {
  int cells = argc > 1 ? std::atoi(argv[1]) : 3000000;
  int width = 1200, height = (cells + width - 1) / width;
  size_t n = size_t(width) * height;
  std::vector<unsigned char> grid(n);
  unsigned s = 90210;
  for (size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    int x = i % width, y = i / width;
    unsigned level = ((x / 16) * 31 + (y / 16) * 17) % 64;
    grid[i] = static_cast<unsigned char>((s >> 24) * level / 64);
  }
  unsigned char *dGrid, *dKept;
  cudaMalloc(&dGrid, n);
  cudaMalloc(&dKept, n);
  cudaMemcpy(dGrid, grid.data(), n, cudaMemcpyHostToDevice);
  dim3 block(TILE, TILE), tiles((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  dropSparseTiles<<<tiles, block>>>(dGrid, dKept, width, height, 100);
  cudaMemcpy(grid.data(), dKept, n, cudaMemcpyDeviceToHost);
  long long sum = 0, kept = 0;
  for (unsigned char v : grid) {
    sum += v;
    kept += v > 0;
  }
  std::printf("kept %lld sum %lld\n", kept, sum);
  cudaFree(dGrid);
  cudaFree(dKept);
  return 0;
}
