// SPDX-License-Identifier: Apache-2.0
// Prices American puts and calls on Cox-Ross-Rubinstein trees, one block per option, with deltas by
// bumping and a European control variate.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t err_ = (call);                                                                     \
    if (err_ != cudaSuccess) {                                                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));                \
      exit(2);                                                                                     \
    }                                                                                              \
  } while (0)

constexpr int STEPS = 192;
constexpr int COARSE = 48;
constexpr int BLOCK = 128;

struct Option {
  float spot, strike, maturity, rate, dividend, vol;
  int isCall;
};

struct TreeParam {
  float up, down, probUp, discount;
};

__global__ void setupTrees(const Option* opt, TreeParam* par, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Option o = opt[i];
  float dt = o.maturity / steps;
  float u = expf(o.vol * sqrtf(dt));
  float d = 1.0f / u;
  par[i].up = u;
  par[i].down = d;
  par[i].probUp = (expf((o.rate - o.dividend) * dt) - d) / (u - d);
  par[i].discount = expf(-o.rate * dt);
}

// one block walks one tree backwards, two columns of node values in shared memory
template <bool AMERICAN>
__global__ void priceTree(const Option* opt, const TreeParam* par, float* out, float bump) {
  __shared__ float value[2][STEPS + 1];
  __shared__ float price[2 * STEPS + 1];
  const int id = blockIdx.x;
  const Option o = opt[id];
  const TreeParam t = par[id];
  const float spot = o.spot * (1.0f + bump);
  const float lnUp = logf(t.up);
  const float sign = o.isCall ? 1.0f : -1.0f;

  for (int k = threadIdx.x; k <= 2 * STEPS; k += blockDim.x)
    price[k] = spot * expf(lnUp * (k - STEPS));
  __syncthreads();
  for (int j = threadIdx.x; j <= STEPS; j += blockDim.x)
    value[0][j] = fmaxf(sign * (price[2 * j] - o.strike), 0.0f);
  __syncthreads();

  const float pu = t.discount * t.probUp;
  const float pd = t.discount * (1.0f - t.probUp);
  int cur = 0;
  for (int step = STEPS - 1; step >= 0; --step) {
    for (int j = threadIdx.x; j <= step; j += blockDim.x) {
      float hold = pu * value[cur][j + 1] + pd * value[cur][j];
      if (AMERICAN) {
        float now = sign * (price[2 * j - step + STEPS] - o.strike);
        hold = fmaxf(hold, now);
      }
      value[cur ^ 1][j] = hold;
    }
    cur ^= 1;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[id] = value[cur][0];
}

// the old code path: one thread per option, coarse tree in double, columns in global memory
__global__ void priceTreeSerial(const Option* opt, double* column, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double S = opt[i].spot, K = opt[i].strike, r = opt[i].rate, q = opt[i].dividend;
  double dt = opt[i].maturity / (double)COARSE;
  double u = exp(opt[i].vol * sqrt(dt));
  double p = (exp((r - q) * dt) - 1.0 / u) / (u - 1.0 / u);
  double disc = exp(-r * dt);
  double sign = opt[i].isCall ? 1.0 : -1.0;
  double* v = column + (size_t)i * (COARSE + 1);
  double s = S * pow(u, -(double)COARSE);
  for (int j = 0; j <= COARSE; j++) {
    v[j] = fmax(sign * (s - K), 0.0);
    s *= u * u;
  }
  for (int step = COARSE - 1; step >= 0; step--) {
    s = S * pow(u, -(double)step);
    for (int j = 0; j <= step; j++) {
      double hold = disc * (p * v[j + 1] + (1.0 - p) * v[j]);
      v[j] = fmax(hold, sign * (s - K));
      s *= u * u;
    }
  }
  out[i] = v[0];
}

__device__ float normCdf(float x) {
  return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void blackScholes(const Option* opt, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Option o = opt[i];
  float sd = o.vol * sqrtf(o.maturity);
  float d1 =
      (logf(o.spot / o.strike) + (o.rate - o.dividend + 0.5f * o.vol * o.vol) * o.maturity) / sd;
  float d2 = d1 - sd;
  float fs = o.spot * expf(-o.dividend * o.maturity), fk = o.strike * expf(-o.rate * o.maturity);
  out[i] = o.isCall ? fs * normCdf(d1) - fk * normCdf(d2) : fk * normCdf(-d2) - fs * normCdf(-d1);
}

__global__ void combine(const float* american, const float* european, const float* closed,
                        const float* up, const float* dn, const Option* opt, float bump,
                        float* corrected, float* delta, double* book, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float c = american[i] + (closed[i] - european[i]);
  corrected[i] = c;
  delta[i] = (up[i] - dn[i]) / (2.0f * bump * opt[i].spot);
  atomicAdd(book, (double)c);
}

static unsigned seed = 20011u;
static float uniform(float a, float b) {
  seed = seed * 1664525u + 1013904223u;
  return a + (b - a) * ((seed >> 8) / 16777216.0f);
}

static double hostTree(const Option& o, int steps, double bump) {
  std::vector<double> v(steps + 1);
  double spot = o.spot * (1.0 + bump), dt = (double)o.maturity / steps;
  double u = exp(o.vol * sqrt(dt)), p = (exp((o.rate - o.dividend) * dt) - 1 / u) / (u - 1 / u);
  double disc = exp(-o.rate * dt), sign = o.isCall ? 1 : -1;
  for (int j = 0; j <= steps; j++)
    v[j] = fmax(sign * (spot * pow(u, 2.0 * j - steps) - o.strike), 0.0);
  for (int s = steps - 1; s >= 0; s--) {
    double x = spot * pow(u, -(double)s);
    for (int j = 0; j <= s; j++, x *= u * u)
      v[j] = fmax(disc * (p * v[j + 1] + (1 - p) * v[j]), sign * (x - o.strike));
  }
  return v[0];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 64;
  std::vector<Option> book(n);
  for (auto& o : book) {
    o.spot = uniform(60, 140);
    o.strike = uniform(80, 120);
    o.maturity = uniform(0.2f, 2.0f);
    o.rate = uniform(0.01f, 0.06f);
    o.dividend = uniform(0.0f, 0.05f);
    o.vol = uniform(0.15f, 0.5f);
    o.isCall = uniform(0, 1) > 0.5f;
  }
  Option* dOpt;
  TreeParam* dPar;
  float *dAm, *dEu, *dBs, *dUp, *dDn, *dCorr, *dDelta;
  double *dCol, *dSerial, *dBook;
  CHECK(cudaMalloc(&dOpt, n * sizeof(Option)));
  CHECK(cudaMalloc(&dPar, n * sizeof(TreeParam)));
  CHECK(cudaMalloc(&dAm, n * sizeof(float)));
  CHECK(cudaMalloc(&dEu, n * sizeof(float)));
  CHECK(cudaMalloc(&dBs, n * sizeof(float)));
  CHECK(cudaMalloc(&dUp, n * sizeof(float)));
  CHECK(cudaMalloc(&dDn, n * sizeof(float)));
  CHECK(cudaMalloc(&dCorr, n * sizeof(float)));
  CHECK(cudaMalloc(&dDelta, n * sizeof(float)));
  CHECK(cudaMalloc(&dCol, (size_t)n * (COARSE + 1) * sizeof(double)));
  CHECK(cudaMalloc(&dSerial, n * sizeof(double)));
  CHECK(cudaMalloc(&dBook, sizeof(double)));
  CHECK(cudaMemcpy(dOpt, book.data(), n * sizeof(Option), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dBook, 0, sizeof(double)));

  const float bump = 0.01f;
  int grid = (n + BLOCK - 1) / BLOCK;
  setupTrees<<<grid, BLOCK>>>(dOpt, dPar, n, STEPS);
  priceTree<true><<<n, BLOCK>>>(dOpt, dPar, dAm, 0.0f);
  priceTree<false><<<n, BLOCK>>>(dOpt, dPar, dEu, 0.0f);
  priceTree<true><<<n, BLOCK>>>(dOpt, dPar, dUp, bump);
  priceTree<true><<<n, BLOCK>>>(dOpt, dPar, dDn, -bump);
  priceTreeSerial<<<(n + 63) / 64, 64>>>(dOpt, dCol, dSerial, n);
  blackScholes<<<grid, BLOCK>>>(dOpt, dBs, n);
  combine<<<grid, BLOCK>>>(dAm, dEu, dBs, dUp, dDn, dOpt, bump, dCorr, dDelta, dBook, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  std::vector<float> am(n), corr(n), delta(n);
  std::vector<double> serial(n);
  double total = 0;
  CHECK(cudaMemcpy(am.data(), dAm, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(corr.data(), dCorr, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(delta.data(), dDelta, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(serial.data(), dSerial, n * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&total, dBook, sizeof(double), cudaMemcpyDeviceToHost));

  int bad = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += corr[i];
    if (delta[i] < -1.05f || delta[i] > 1.05f)
      bad++;
    if (i % 8)
      continue;
    double fine = hostTree(book[i], STEPS, 0.0), coarse = hostTree(book[i], COARSE, 0.0);
    double d =
        (hostTree(book[i], STEPS, 0.01) - hostTree(book[i], STEPS, -0.01)) / (0.02 * book[i].spot);
    if (fabs(fine - am[i]) > 0.02 || fabs(coarse - serial[i]) > 1e-6 || fabs(d - delta[i]) > 0.02)
      bad++;
  }
  if (fabs(sum - total) > 1e-6 * fabs(sum) + 1e-6)
    bad++;
  printf("book value %.4f\n", total);
  if (bad) {
    printf("FAIL %d mismatches\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
