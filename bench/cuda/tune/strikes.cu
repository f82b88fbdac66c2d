// SPDX-License-Identifier: Apache-2.0
// European options by the formula of Black and Scholes: a thread prices one stock at many strikes.
#include "../corpus/common.h"

const int STRIKES = 24;

__host__ __device__ float normalBelow(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * expf(-0.5f * d * d) * k *
               (0.31938153f +
                k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - tail : tail;
}

__host__ __device__ float value(float spot, float years) {
  const float rate = 0.02f, volatility = 0.3f;
  float root = volatility * sqrtf(years), sum = 0;
  for (int i = 0; i < STRIKES; ++i) {
    float strike = spot * (0.4f + 0.05f * i);
    float d1 = (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / root;
    sum += spot * normalBelow(d1) - strike * expf(-rate * years) * normalBelow(d1 - root);
  }
  return sum;
}

__global__ void priceStrikes(const float* spot, const float* years, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = value(spot[i], years[i]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 300000);
  Random random(59);
  std::vector<float> spot(n), years(n);
  for (int i = 0; i < n; ++i) {
    spot[i] = 5 + 25 * random.uniform();
    years[i] = 0.25f + 9.75f * random.uniform();
  }
  float *s = upload(spot), *y = upload(years), *out = allocate<float>(n);
  priceStrikes<<<(n + 255) / 256, 256>>>(s, y, out, n);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997)
    passed &= near(got[i], value(spot[i], years[i]), 1e-3);
  return verdict(passed);
}
