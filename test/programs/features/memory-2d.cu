// SPDX-License-Identifier: Apache-2.0
// cudaMallocPitch, cudaMemcpy2D in three directions, cudaMemset2D; a kernel that walks pitched
// rows.
#include "../check.h"

__global__ void addRows(char* base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int* row = (int*)(base + y * pitch);
    row[x] += 1000 * y;
  }
}

int main() {
  const int width = 37, height = 19;
  const size_t rowBytes = width * sizeof(int);
  std::vector<int> in(width * height), out(width * height, -1);
  for (int i = 0; i < width * height; ++i)
    in[i] = i;
  char *pitched = nullptr, *second = nullptr;
  size_t pitch = 0, secondPitch = 0;
  CHECK_CUDA(cudaMallocPitch(&pitched, &pitch, rowBytes, height));
  CHECK_CUDA(cudaMallocPitch((void**)&second, &secondPitch, rowBytes, height));
  expectTrue("the pitch holds a row", pitch >= rowBytes);
  expectEqual("alignment of the pitch", pitch % 32, size_t(0));

  CHECK_CUDA(
      cudaMemcpy2D(pitched, pitch, in.data(), rowBytes, rowBytes, height, cudaMemcpyHostToDevice));
  addRows<<<dim3(3, 5), dim3(16, 4)>>>(pitched, pitch, width, height);
  CHECK_CUDA(cudaMemset2D(second, secondPitch, 0xff, rowBytes, height));
  // A window of the middle, from one pitched array to the other.
  CHECK_CUDA(cudaMemcpy2D(second + 2 * secondPitch + 8, secondPitch, pitched + 3 * pitch + 4, pitch,
                          10 * sizeof(int), 7, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(
      cudaMemcpy2D(out.data(), rowBytes, pitched, pitch, rowBytes, height, cudaMemcpyDeviceToHost));
  expectArray("all", out, [](size_t i) { return int(i) + 1000 * int(i / width); });
  CHECK_CUDA(cudaMemcpy2DAsync(out.data(), rowBytes, second, secondPitch, rowBytes, height,
                               cudaMemcpyDeviceToHost, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  expectArray("window", out, [](size_t i) {
    const int x = int(i) % width - 2, y = int(i) / width - 2;
    return x >= 0 && x < 10 && y >= 0 && y < 7 ? (y + 3) * width + x + 1 + 1000 * (y + 3) : -1;
  });
  CHECK_CUDA(cudaFree(pitched));
  CHECK_CUDA(cudaFree(second));
  return finish();
}
