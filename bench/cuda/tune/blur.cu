// SPDX-License-Identifier: Apache-2.0
// A blur over nine by nine pixels, straight from global memory.
#include "../corpus/common.h"

const int RADIUS = 4;

__constant__ float weights[2 * RADIUS + 1];

__global__ void blurImage(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
    int row = min(max(y + dy, 0), h - 1) * w;
    float part = 0;
    for (int dx = -RADIUS; dx <= RADIUS; ++dx)
      part += weights[dx + RADIUS] * in[row + min(max(x + dx, 0), w - 1)];
    sum += weights[dy + RADIUS] * part;
  }
  out[y * w + x] = sum;
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 1700), h = w * 3 / 4;
  Random random(7);
  std::vector<float> image(w * h), kernel(2 * RADIUS + 1);
  for (float& pixel : image)
    pixel = random.uniform();
  for (int i = 0; i <= 2 * RADIUS; ++i)
    kernel[i] = 1.0f / (1 + abs(i - RADIUS));
  CHECK(cudaMemcpyToSymbol(weights, kernel.data(), kernel.size() * sizeof(float)));
  float *in = upload(image), *out = allocate<float>(w * h);
  blurImage<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in, out, w, h);
  std::vector<float> got = download(out, w * h);
  bool passed = true;
  for (int at = 0; at < w * h; at += 9973) {
    double sum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
      for (int dx = -RADIUS; dx <= RADIUS; ++dx)
        sum += kernel[dy + RADIUS] * kernel[dx + RADIUS] *
               image[std::min(std::max(at / w + dy, 0), h - 1) * w +
                     std::min(std::max(at % w + dx, 0), w - 1)];
    passed &= near(got[at], sum, 1e-3);
  }
  return verdict(passed);
}
