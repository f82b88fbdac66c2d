// SPDX-License-Identifier: Apache-2.0
// A curve over many values, with a loop that strides over the grid.
#include "../corpus/common.h"

__global__ void applyCurve(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i];
    out[i] = x / (1.0f + fabsf(x)) + 0.1f * sqrtf(x);
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 20000000);
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i % 4093;
  float *in = upload(values), *out = allocate<float>(n);
  applyCurve<<<528, 256>>>(in, out, n);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 9973)
    passed &= near(got[i], values[i] / (1 + values[i]) + 0.1 * std::sqrt(values[i]), 1e-4);
  return verdict(passed);
}
