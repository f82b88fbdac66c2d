// SPDX-License-Identifier: Apache-2.0
// Solves for implied volatilities, only for the quotes that are traded and above intrinsic value.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Quote {
  float spot, strike, years, price;
};

__device__ inline float normalCdf(float x) {
  return 0.5f * erfcf(-x * 0.70710678f);
}

__device__ float callPrice(const Quote& q, float vol, float* vega) {
  float root = sqrtf(q.years);
  float d1 = (logf(q.spot / q.strike) + 0.5f * vol * vol * q.years) / (vol * root);
  *vega = q.spot * root * 0.39894228f * expf(-0.5f * d1 * d1);
  return q.spot * normalCdf(d1) - q.strike * normalCdf(d1 - vol * root);
}

__global__ void impliedVol(const Quote* quotes, const int* traded, float* vols, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    vols[i] = 0.0f;
    if (traded[i] > 0) {
      Quote q = quotes[i];
      if (q.price > q.spot - q.strike) {
        float vol = 0.4f;
        for (int it = 0; it < 8; ++it) {
          float vega;
          float diff = callPrice(q, vol, &vega) - q.price;
          vol -= diff / (vega + 1e-3f);
          vol = fminf(fmaxf(vol, 0.02f), 2.0f);
        }
        vols[i] = vol;
      }
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  std::mt19937 gen(99);
  std::uniform_real_distribution<float> u(0.0f, 1.0f);
  std::vector<Quote> quotes(n);
  std::vector<int> traded(n);
  for (int i = 0; i < n; ++i) {
    float spot = 80.0f + 40.0f * u(gen), strike = 80.0f + 40.0f * u(gen);
    float intrinsic = spot > strike ? spot - strike : 0.0f;
    quotes[i] = {spot, strike, 0.25f + 1.5f * u(gen), intrinsic + 14.0f * u(gen)};
    traded[i] = u(gen) < 0.2f ? 1 + static_cast<int>(gen() % 50) : 0;
  }
  Quote* dQuotes;
  int* dTraded;
  float* dVols;
  cudaMalloc((void**)&dQuotes, n * sizeof(Quote));
  cudaMalloc((void**)&dTraded, n * sizeof(int));
  cudaMalloc((void**)&dVols, n * sizeof(float));
  cudaMemcpy(dQuotes, quotes.data(), n * sizeof(Quote), cudaMemcpyHostToDevice);
  cudaMemcpy(dTraded, traded.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const int threads = 128;
  impliedVol<<<(n + threads - 1) / threads, threads>>>(dQuotes, dTraded, dVols, n);
  std::vector<float> vols(n);
  cudaMemcpy(vols.data(), dVols, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  int solved = 0;
  for (float v : vols) {
    sum += v;
    solved += v > 0.0f;
  }
  std::printf("solved %d, mean volatility %.4f\n", solved, solved ? sum / solved : 0.0);
  cudaFree(dQuotes);
  cudaFree(dTraded);
  cudaFree(dVols);
  return 0;
}
