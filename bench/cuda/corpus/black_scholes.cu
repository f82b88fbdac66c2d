// SPDX-License-Identifier: Apache-2.0
// Prices of European options by the formula of Black and Scholes.
#include "common.h"

__host__ __device__ float normalBelow(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * expf(-0.5f * d * d) * k *
               (0.31938153f +
                k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - tail : tail;
}

__host__ __device__ float2 price(float spot, float strike, float years) {
  const float rate = 0.02f, volatility = 0.3f;
  float root = sqrtf(years);
  float d1 =
      (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
  float d2 = d1 - volatility * root, discount = strike * expf(-rate * years);
  float call = spot * normalBelow(d1) - discount * normalBelow(d2);
  return make_float2(call, call + discount - spot);
}

__global__ void priceOptions(const float* spot, const float* strike, const float* years,
                             float2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = price(spot[i], strike[i], years[i]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 8192);
  Random random(59);
  std::vector<float> spot(n), strike(n), years(n);
  for (int i = 0; i < n; ++i) {
    spot[i] = 5 + 25 * random.uniform();
    strike[i] = 1 + 99 * random.uniform();
    years[i] = 0.25f + 9.75f * random.uniform();
  }
  float *s = upload(spot), *k = upload(strike), *y = upload(years);
  float2* out = allocate<float2>(n);
  priceOptions<<<(n + 127) / 128, 128>>>(s, k, y, out, n);
  std::vector<float2> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; ++i) {
    float2 want = price(spot[i], strike[i], years[i]);
    passed &= near(got[i].x, want.x, 1e-3) && near(got[i].y, want.y, 1e-3);
  }
  return verdict(passed);
}
