// SPDX-License-Identifier: Apache-2.0
// Bilateral filter: smooths an image and keeps its edges.
#include "common.h"

const int RADIUS = 3;

__host__ __device__ float smooth(const float* image, int x, int y, int w, int h) {
  float middle = image[y * w + x], sum = 0, weights = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      int nx = x + dx, ny = y + dy;
      if (nx < 0 || ny < 0 || nx >= w || ny >= h)
        continue;
      float value = image[ny * w + nx], off = value - middle;
      float weight = expf(-(dx * dx + dy * dy) / 8.0f - off * off * 50.0f);
      sum += weight * value;
      weights += weight;
    }
  return sum / weights;
}

__global__ void bilateral(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = smooth(in, x, y, w, h);
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 64), h = w;
  Random random(67);
  std::vector<float> image(w * h), want(w * h);
  for (int i = 0; i < w * h; ++i)
    image[i] = (i % w > w / 2 ? 0.8f : 0.2f) + 0.1f * random.uniform();
  float *in = upload(image), *out = allocate<float>(w * h);
  bilateral<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(in, out, w, h);
  for (int i = 0; i < w * h; ++i)
    want[i] = smooth(image.data(), i % w, i / w, w, h);
  return verdict(allNear(download(out, w * h), want, 1e-4));
}
