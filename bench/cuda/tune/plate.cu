// SPDX-License-Identifier: Apache-2.0
// One step of Jacobi's method on a plate: little to compute, much to read.
#include "../corpus/common.h"

__global__ void relaxPlate(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1)
    return;
  int at = y * w + x;
  out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - w] + in[at + w]);
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 4000), h = w;
  Random random(13);
  std::vector<float> plate(w * h);
  for (float& each : plate)
    each = random.uniform();
  float *in = upload(plate), *out = allocate<float>(w * h);
  relaxPlate<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in, out, w, h);
  std::vector<float> got = download(out, w * h);
  bool passed = true;
  for (int y = 1; y < h - 1; y += 97)
    for (int x = 1; x < w - 1; x += 13) {
      int at = y * w + x;
      passed &= near(got[at], 0.2 * (plate[at] + plate[at - 1] + plate[at + 1] + plate[at - w] + plate[at + w]), 1e-4);
    }
  return verdict(passed);
}
