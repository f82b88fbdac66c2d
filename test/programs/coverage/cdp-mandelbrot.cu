// SPDX-License-Identifier: Apache-2.0
// COVERS: dynamic parallelism, -rdc
// FLAGS: -rdc=true
// Mariani and Silver's way to a Mandelbrot set: a square whose border dwells equally long everywhere is filled, another one is
// parted by launches of the same kernel, and a small one is computed point by point. A launch stands in a macro, in a template and in a
// namespace, as in people's code.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                                   \
  do {                                                                                             \
    cudaError_t status = (x);                                                                      \
    if (status != cudaSuccess) {                                                                   \
      printf("%s:%d %s: %s\nFAIL\n", __FILE__, __LINE__, #x, cudaGetErrorString(status));          \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define LAUNCH(kernel, grid, block, ...)                                                           \
  do {                                                                                             \
    kernel<<<grid, block>>>(__VA_ARGS__);                                                          \
  } while (0)

struct View {
  float left, top, step;
  int size, most;
};

namespace fractal {

constexpr int threads = 64, split = 2, smallest = 16, different = -1;

__host__ __device__ inline int dwellAt(const View& view, int x, int y) {
  const float cx = view.left + view.step * x, cy = view.top + view.step * y;
  float zx = 0, zy = 0;
  int dwell = 0;
  while (dwell < view.most && zx * zx + zy * zy < 4) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = next;
    ++dwell;
  }
  return dwell;
}

template <class Dwell> __global__ void fill(Dwell* dwells, int size, int x0, int y0, int side, Dwell value) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < side && y < side)
    dwells[(y0 + y) * size + x0 + x] = value;
}

template <class Dwell> __global__ void points(Dwell* dwells, View view, int x0, int y0, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < side && y < side)
    dwells[(y0 + y) * view.size + x0 + x] = (Dwell)dwellAt(view, x0 + x, y0 + y);
}

// What all points of the border have, or `different`.
__device__ int borderDwell(const View& view, int x0, int y0, int side) {
  __shared__ int common, isSame;
  if (threadIdx.x == 0)
    common = dwellAt(view, x0, y0), isSame = 1;
  __syncthreads();
  for (int i = threadIdx.x; i < side; i += blockDim.x) {
    const bool same = dwellAt(view, x0 + i, y0) == common && dwellAt(view, x0 + i, y0 + side - 1) == common &&
                      dwellAt(view, x0, y0 + i) == common && dwellAt(view, x0 + side - 1, y0 + i) == common;
    if (!same)
      isSame = 0;
  }
  __syncthreads();
  return isSame ? common : different;
}

template <class Dwell> __global__ void square(Dwell* dwells, View view, int x0, int y0, int side, int* launches) {
  x0 += side * blockIdx.x;
  y0 += side * blockIdx.y;
  const int border = borderDwell(view, x0, y0, side);
  if (threadIdx.x != 0)
    return;
  atomicAdd(launches, 1);
  const dim3 block(16, 4), grid((side + 15) / 16, (side + 3) / 4);
  if (border != different)
    fill<Dwell><<<grid, block>>>(dwells, view.size, x0, y0, side, (Dwell)border);
  else if (side / split >= smallest)
    square<<<dim3(split, split), threads, 0, cudaStreamFireAndForget>>>(dwells, view, x0, y0, side / split,
                                                                        launches);
  else
    LAUNCH(fractal::points<Dwell>, grid, block, dwells, view, x0, y0, side);
}

} // namespace fractal

int main(int argc, char** argv) {
  const int size = argc > 1 ? atoi(argv[1]) : 128, parts = 2;
  const View view{-1.5f, -1.0f, 2.0f / size, size, 256};
  short* dwells;
  int *launches, parted = 0;
  CHECK(cudaMalloc(&dwells, size * size * sizeof(short)));
  CHECK(cudaMalloc(&launches, sizeof(int)));
  CHECK(cudaMemset(launches, 0, sizeof(int)));
  fractal::square<short><<<dim3(parts, parts), fractal::threads>>>(dwells, view, 0, 0, size / parts, launches);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<short> got(size * size);
  CHECK(cudaMemcpy(got.data(), dwells, got.size() * sizeof(short), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&parted, launches, sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      wrong += got[y * size + x] != fractal::dwellAt(view, x, y);
  printf("%d squares, %d of %d points differ\n", parted, wrong, size * size);
  // Rounding of a host without fused multiply-add moves points at the border of the set.
  const bool ok = wrong <= size * size / 50 && parted > parts * parts;
  CHECK(cudaFree(dwells));
  CHECK(cudaFree(launches));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
