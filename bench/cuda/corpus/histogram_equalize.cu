// SPDX-License-Identifier: Apache-2.0
// Evens out the grey values of an image by its histogram.
#include "common.h"

__global__ void greyHistogram(const unsigned char* image, unsigned* histogram, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[image[i]], 1u);
  __syncthreads();
  if (local[threadIdx.x])
    atomicAdd(&histogram[threadIdx.x], local[threadIdx.x]);
}

__global__ void greyMap(const unsigned* histogram, unsigned char* map, int n) {
  unsigned sum = 0;
  for (int i = 0; i <= threadIdx.x; ++i)
    sum += histogram[i];
  map[threadIdx.x] = (unsigned char)(255ull * sum / n);
}

__global__ void applyMap(unsigned char* image, const unsigned char* map, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    image[i] = map[image[i]];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 16384);
  Random random(29);
  std::vector<unsigned char> image(n);
  for (auto& pixel : image)
    pixel = (unsigned char)(128 + (int)(random.next() % 64) - (int)(random.next() % 64));
  unsigned char *device = upload(image), *map = allocate<unsigned char>(256);
  unsigned* histogram = allocate<unsigned>(256);
  greyHistogram<<<std::min(132, (n + 1023) / 1024), 256>>>(device, histogram, n);
  greyMap<<<1, 256>>>(histogram, map, n);
  applyMap<<<(n + 255) / 256, 256>>>(device, map, n);
  std::vector<unsigned char> got = download(device, n);
  unsigned count[256] = {};
  for (auto pixel : image)
    ++count[pixel];
  for (int i = 1; i < 256; ++i)
    count[i] += count[i - 1];
  bool passed = true;
  for (int i = 0; i < n; ++i)
    passed &= got[i] == (unsigned char)(255ull * count[image[i]] / n);
  return verdict(passed);
}
