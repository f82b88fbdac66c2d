// SPDX-License-Identifier: Apache-2.0
// COVERS: openmp, openmp: parallel for
// FLAGS: -Xcompiler -fopenmp
// A blur of an image; the reference is computed by an OpenMP loop. Arguments: width height repeat.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>
#include <omp.h>

__host__ __device__ inline int clampTo(int v, int n) {
  return v < 0 ? 0 : v >= n ? n - 1 : v;
}

__global__ void blur(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[clampTo(y + dy, h) * w + clampTo(x + dx, w)];
  out[y * w + x] = (unsigned char)(sum / 9);
}

void reference(const unsigned char* in, unsigned char* out, int w, int h) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += in[clampTo(y + dy, h) * w + clampTo(x + dx, w)];
      out[y * w + x] = (unsigned char)(sum / 9);
    }
}

int main(int argc, char* argv[]) {
  int w = argc > 1 ? atoi(argv[1]) : 150, h = argc > 2 ? atoi(argv[2]) : 90,
      repeat = argc > 3 ? atoi(argv[3]) : 2;
  size_t size = (size_t)w * h;
  unsigned char* image = (unsigned char*)malloc(size);
  unsigned char* result = (unsigned char*)malloc(size);
  unsigned char* expected = (unsigned char*)malloc(size);
  srand(123);
  for (size_t i = 0; i < size; ++i)
    image[i] = (unsigned char)(rand() % 256);
  unsigned char *din, *dout;
  cudaMalloc((void**)&din, size);
  cudaMalloc((void**)&dout, size);
  cudaMemcpy(din, image, size, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  cudaDeviceSynchronize();
  double start = omp_get_wtime();
  for (int r = 0; r < repeat; ++r)
    blur<<<grid, block>>>(din, dout, w, h);
  cudaDeviceSynchronize();
  fprintf(stderr, "Average kernel execution time: %f (us)\n",
          (omp_get_wtime() - start) * 1e6 / repeat);
  cudaMemcpy(result, dout, size, cudaMemcpyDeviceToHost);
  reference(image, expected, w, h);
  bool ok = memcmp(result, expected, size) == 0 && cudaGetLastError() == cudaSuccess;
  cudaFree(din);
  cudaFree(dout);
  free(image);
  free(result);
  free(expected);
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
