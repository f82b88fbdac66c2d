// SPDX-License-Identifier: Apache-2.0
// Median of each pixel's 5 x 5 neighbourhood, by insertion into a small sorted array.
#include "common.h"
#include <algorithm>

__global__ void median5(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  unsigned char window[25];
  int count = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      int nx = min(max(x + dx, 0), width - 1), ny = min(max(y + dy, 0), height - 1);
      unsigned char value = in[ny * width + nx];
      int k = count++;
      for (; k > 0 && window[k - 1] > value; --k)
        window[k] = window[k - 1];
      window[k] = value;
    }
  out[y * width + x] = window[12];
}

int main(int argc, char** argv) {
  int width = argument(argc, argv, 64), height = width * 3 / 4;
  Random random(61);
  std::vector<unsigned char> image(width * height), want(width * height);
  for (auto& pixel : image)
    pixel = (unsigned char)random.next();
  unsigned char *in = upload(image), *out = allocate<unsigned char>(width * height);
  median5<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in, out, width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::vector<unsigned char> window;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
          window.push_back(
              image[std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1)]);
      std::nth_element(window.begin(), window.begin() + 12, window.end());
      want[y * width + x] = window[12];
    }
  return verdict(download(out, width * height) == want);
}
