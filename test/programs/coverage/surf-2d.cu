// SPDX-License-Identifier: Apache-2.0
// COVERS: surfaces, surfaces: 2D, textures: uchar4, atomics
// Game of life on surfaces of bytes, and a colour image changed in place. Arguments: generations.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_ERROR_CHECK(x)                                                                        \
  if ((x) != cudaSuccess) {                                                                        \
    fprintf(stderr, "failed: %s\n", #x);                                                           \
    puts("FAIL");                                                                                  \
    exit(1);                                                                                       \
  }

const int W = 48, H = 32;

__global__ void generation(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        alive += surf2Dread<unsigned char>(from, x + dx, y + dy, cudaBoundaryModeZero);
  unsigned char me;
  surf2Dread(&me, from, x, y);
  surf2Dwrite((unsigned char)(alive == 3 || (me && alive == 2)), to, x, y);
}

__global__ void invert(cudaSurfaceObject_t image, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  uchar4 c = surf2Dread<uchar4>(image, x * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
  c = make_uchar4(255 - c.x, 255 - c.y, c.w, c.z);
  // Those outside of the image write nothing.
  surf2Dwrite(c, image, x * (int)sizeof(uchar4), y, cudaBoundaryModeZero);
}

static cudaSurfaceObject_t surface(cudaArray_t array) {
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaSurfaceObject_t s = 0;
  CUDA_ERROR_CHECK(cudaCreateSurfaceObject(&s, &res));
  return s;
}

int main(int argc, char** argv) {
  int generations = argc > 1 ? atoi(argv[1]) : 6;
  std::vector<unsigned char> cells(W * H), next(W * H), got(W * H);
  for (int i = 0; i < W * H; ++i)
    cells[i] = (i * 2654435761u >> 13) % 3 == 0;
  cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>(),
                        colour = cudaCreateChannelDesc<uchar4>();
  cudaArray_t a, b, c;
  CUDA_ERROR_CHECK(cudaMallocArray(&a, &byte, W, H, cudaArraySurfaceLoadStore));
  CUDA_ERROR_CHECK(cudaMallocArray(&b, &byte, W, H, cudaArraySurfaceLoadStore));
  CUDA_ERROR_CHECK(cudaMallocArray(&c, &colour, W, H, cudaArraySurfaceLoadStore));
  CUDA_ERROR_CHECK(cudaMemcpy2DToArray(a, 0, 0, cells.data(), W, W, H, cudaMemcpyHostToDevice));
  cudaSurfaceObject_t from = surface(a), to = surface(b), image = surface(c);
  dim3 block(16, 8), grid((W + 15) / 16 + 1, (H + 7) / 8);
  for (int g = 0; g < generations; ++g) {
    generation<<<grid, block>>>(from, to, W, H);
    std::swap(from, to);
    std::swap(a, b);
    for (int y = 0; y < H; ++y)
      for (int x = 0; x < W; ++x) {
        int alive = 0;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            if ((dx || dy) && x + dx >= 0 && x + dx < W && y + dy >= 0 && y + dy < H)
              alive += cells[(y + dy) * W + x + dx];
        next[y * W + x] = alive == 3 || (cells[y * W + x] && alive == 2);
      }
    cells.swap(next);
  }
  CUDA_ERROR_CHECK(cudaMemcpy2DFromArray(got.data(), W, a, 0, 0, W, H, cudaMemcpyDeviceToHost));
  bool ok = got == cells;
  std::vector<uchar4> pixels(W * H), result(W * H);
  for (int i = 0; i < W * H; ++i)
    pixels[i] = make_uchar4((unsigned char)i, 7, 9, (unsigned char)(i / W));
  CUDA_ERROR_CHECK(
      cudaMemcpy2DToArray(c, 0, 0, pixels.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
  invert<<<grid, block>>>(image, W, H);
  CUDA_ERROR_CHECK(cudaGetLastError());
  CUDA_ERROR_CHECK(
      cudaMemcpy2DFromArray(result.data(), W * 4, c, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
  for (int i = 0; i < W * H; ++i)
    ok = ok && result[i].x == 255 - pixels[i].x && result[i].y == 248 &&
         result[i].z == pixels[i].w && result[i].w == 9;
  for (cudaSurfaceObject_t s : {from, to, image})
    CUDA_ERROR_CHECK(cudaDestroySurfaceObject(s));
  for (cudaArray_t array : {a, b, c})
    CUDA_ERROR_CHECK(cudaFreeArray(array));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
