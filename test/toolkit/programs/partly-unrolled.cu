// SPDX-License-Identifier: Apache-2.0
// A window of 7 by 7 with guards and continue: ptxas unrolls one of the loops and predicates the
// rest.
#include <cstdio>
#include <vector>

using Byte = unsigned char;

__global__ void smooth(const Byte* in, const Byte* mask, Byte* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = 0, weight = 0;
  for (int dy = -3; dy <= 3; ++dy)
    for (int dx = -3; dx <= 3; ++dx) {
      const int u = x + dx, v = y + dy;
      if (u < 0 || v < 0 || u >= width || v >= height)
        continue;
      if (mask[v * width + u] & 1)
        continue;
      const int share = 8 - abs(dx) - abs(dy);
      sum += share * in[v * width + u];
      weight += share;
    }
  out[y * width + x] = weight ? sum / weight : 0;
}

int main() {
  const int width = 800, height = 600, size = width * height;
  std::vector<Byte> image(size);
  unsigned state = 3;
  for (Byte& pixel : image) {
    state = state * 1664525u + 1013904223u;
    pixel = state >> 24;
  }
  Byte *in = nullptr, *mask = nullptr, *out = nullptr;
  for (Byte** each : {&in, &mask, &out})
    cudaMalloc(each, size);
  cudaMemcpy(in, image.data(), size, cudaMemcpyHostToDevice);
  cudaMemcpy(mask, image.data(), size, cudaMemcpyHostToDevice);
  smooth<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, mask, out, width, height);
  cudaMemcpy(image.data(), out, size, cudaMemcpyDeviceToHost);
  long total = 0;
  for (const Byte pixel : image)
    total += pixel;
  printf("%ld\n", total);
}
