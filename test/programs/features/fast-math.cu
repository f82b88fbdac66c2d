// SPDX-License-Identifier: Apache-2.0
// The fast float intrinsics against the accurate functions, with the errors CUDA's guide allows;
// __saturatef and friends.
#include "../check.h"

__global__ void run(const float* in, float* out) {
  const int i = threadIdx.x;
  const float x = in[i];
  float* mine = out + i * 16;
  mine[0] = __expf(x);
  mine[1] = __exp10f(x * 0.25f);
  mine[2] = __logf(x + 1.0f);
  mine[3] = __log2f(x + 1.0f);
  mine[4] = __log10f(x + 1.0f);
  mine[5] = __sinf(x * 0.3f);
  mine[6] = __cosf(x * 0.3f);
  __sincosf(x * 0.2f, &mine[7], &mine[8]);
  mine[9] = __tanf(x * 0.1f);
  mine[10] = __powf(x + 0.5f, 1.7f);
  mine[11] = __fdividef(x, 3.0f);
  mine[12] = __frsqrt_rn(x + 1.0f);
  mine[13] = __saturatef(x - 4.5f);
  mine[14] = fdividef(1.0f, x + 2.0f);
  mine[15] = __fmaf_rn(x, x, -1.0f);
}

int main() {
  const int n = 64;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = float(i) * 0.15625f;
  DeviceArray<float> device(in), out(n * 16);
  run<<<1, n>>>(device, out);
  CHECK_LAUNCH();
  const std::vector<float> got = out.read();
  for (int i = 0; i < n; ++i) {
    const double x = in[i];
    const double want[16] = {std::exp(x),
                             std::pow(10.0, x * 0.25),
                             std::log(x + 1),
                             std::log2(x + 1),
                             std::log10(x + 1),
                             std::sin(x * 0.3),
                             std::cos(x * 0.3),
                             std::sin(x * 0.2),
                             std::cos(x * 0.2),
                             std::tan(x * 0.1),
                             std::pow(x + 0.5, 1.7),
                             x / 3,
                             1 / std::sqrt(x + 1),
                             std::fmin(std::fmax(x - 4.5, 0.0), 1.0),
                             1 / (x + 2),
                             x * x - 1};
    for (int k = 0; k < 16; ++k)
      expectNear("function " + std::to_string(k) + " at " + text(in[i]), got[i * 16 + k], want[k],
                 4e-6, 1e-6);
  }
  return finish();
}
