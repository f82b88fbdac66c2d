// SPDX-License-Identifier: Apache-2.0
// Trap 8: glibc owns __expf, __sinf and others; on the device these names are the fast intrinsics.
#include <cmath>

#include "../check.h"

__device__ float wave(float x) {
  return __sinf(x) * __expf(-x) + __cosf(x) * __logf(x + 1.0f);
}

__global__ void run(float* out) {
  const float x = float(threadIdx.x) * 0.03125f;
  float s, c;
  __sincosf(x, &s, &c);
  out[threadIdx.x] =
      wave(x) + __powf(x + 1.0f, 1.5f) + s * c + __log2f(x + 1.0f) + __tanf(x * 0.5f);
}

int main() {
  DeviceArray<float> out(64);
  run<<<1, 64>>>(out);
  CHECK_LAUNCH();
  const std::vector<float> got = out.read();
  for (int i = 0; i < 64; ++i) {
    const double x = i * 0.03125;
    const double want = std::sin(x) * std::exp(-x) + std::cos(x) * std::log(x + 1) +
                        std::pow(x + 1, 1.5) + std::sin(x) * std::cos(x) + std::log2(x + 1) +
                        std::tan(x * 0.5);
    expectNear("value", got[i], want, 4e-6, 4e-6);
  }
  return finish();
}
