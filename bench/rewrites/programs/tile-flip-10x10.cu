// SPDX-License-Identifier: Apache-2.0
// Rotates each 10x10 tile of a texture atlas by a quarter turn through shared memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = 10;

__global__ void rotateTiles(const unsigned* atlas, unsigned* rotated, int pitch) {
  __shared__ unsigned tile[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  size_t at = size_t(blockIdx.y * TILE + ty) * pitch + blockIdx.x * TILE + tx;
  tile[ty][tx] = atlas[at];
  __syncthreads();
  rotated[at] = tile[TILE - 1 - tx][ty] ^ (tile[ty][tx] & 1u);
}

int main(int argc, char** argv) {
  int pixels = argc > 1 ? std::atoi(argv[1]) : 4000000;
  int tilesX = 128;
  int tilesY = (pixels + tilesX * TILE * TILE - 1) / (tilesX * TILE * TILE);
  int pitch = tilesX * TILE;
  size_t n = size_t(pitch) * tilesY * TILE;
  std::vector<unsigned> atlas(n);
  unsigned s = 1492;
  for (unsigned& v : atlas) {
    s = s * 1664525u + 1013904223u;
    v = s >> 8;
  }
  unsigned *dAtlas, *dRotated;
  cudaMalloc(&dAtlas, n * sizeof(unsigned));
  cudaMalloc(&dRotated, n * sizeof(unsigned));
  cudaMemcpy(dAtlas, atlas.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  dim3 block(TILE, TILE);
  dim3 grid(tilesX, tilesY);
  rotateTiles<<<grid, block>>>(dAtlas, dRotated, pitch);
  cudaMemcpy(atlas.data(), dRotated, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long check = 0;
  for (unsigned v : atlas) check = check * 3 + v;
  std::printf("check %016llx\n", check);
  cudaFree(dAtlas);
  cudaFree(dRotated);
  return 0;
}
