// SPDX-License-Identifier: Apache-2.0
// Monte Carlo price of a basket call, an Asian basket call and a worst-of put on correlated
// lognormal assets.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int kAssets = 8;
static const int kSteps = 10;

static void check(cudaError_t e, const char* what) {
  if (e != cudaSuccess) {
    std::printf("FAIL %s: %s\n", what, cudaGetErrorString(e));
    std::exit(1);
  }
}

struct Market {
  float chol[kAssets][kAssets];
  float spot[kAssets];
  float drift[kAssets];
  float volSqrtDt[kAssets];
  float weight[kAssets];
  float strike;
  float discount;
};

__constant__ Market market;

struct Rng {
  uint32_t x, y, z, w;
};

__host__ __device__ inline uint32_t mix(uint32_t h) {
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  h *= 0x846ca68bu;
  h ^= h >> 16;
  return h;
}

__host__ __device__ inline uint32_t next(Rng& r) {
  uint32_t t = r.x ^ (r.x << 11);
  r.x = r.y;
  r.y = r.z;
  r.z = r.w;
  r.w = r.w ^ (r.w >> 19) ^ t ^ (t >> 8);
  return r.w;
}

__host__ __device__ inline float uniform(Rng& r) {
  return ((next(r) >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

__host__ __device__ inline void normalPair(Rng& r, float& a, float& b) {
  float u = uniform(r), v = uniform(r);
  float m = sqrtf(-2.0f * logf(u));
  float ang = 6.2831853f * v;
  a = m * cosf(ang);
  b = m * sinf(ang);
}

__host__ __device__ inline Rng seedRng(uint32_t path) {
  Rng r;
  r.x = mix(path * 4u + 1u);
  r.y = mix(path * 4u + 2u);
  r.z = mix(path * 4u + 3u);
  r.w = mix(path * 4u + 4u) | 1u;
  return r;
}

__host__ __device__ inline void evolve(const Market& m, Rng& r, float* logS, float sign) {
  float z[kAssets];
#pragma unroll
  for (int a = 0; a < kAssets; a += 2)
    normalPair(r, z[a], z[a + 1]);
#pragma unroll
  for (int a = 0; a < kAssets; ++a) {
    float s = 0;
#pragma unroll
    for (int b = 0; b <= a; ++b)
      s += m.chol[a][b] * z[b];
    logS[a] += m.drift[a] + m.volSqrtDt[a] * s * sign;
  }
}

__global__ void seedKernel(Rng* states, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    states[i] = seedRng(i);
}

// European basket and worst-of in one pass, antithetic twins share the random numbers
__global__ void basketKernel(Rng* states, float* payBasket, float* payWorst, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Rng r = states[i];
    Rng twin = r;
    float basket = 0, worst = 0;
    for (int anti = 0; anti < 2; ++anti) {
      Rng* use = anti ? &twin : &r;
      float logS[kAssets];
      for (int a = 0; a < kAssets; ++a)
        logS[a] = 0;
      for (int t = 0; t < kSteps; ++t)
        evolve(market, *use, logS, anti ? -1.0f : 1.0f);
      float sum = 0, low = 1e30f;
      for (int a = 0; a < kAssets; ++a) {
        float rel = expf(logS[a]);
        sum += market.weight[a] * market.spot[a] * rel;
        low = fminf(low, rel);
      }
      basket += 0.5f * fmaxf(sum - market.strike, 0.0f);
      worst += 0.5f * fmaxf(1.0f - low, 0.0f);
    }
    payBasket[i] = basket * market.discount;
    payWorst[i] = worst * market.discount;
    states[i] = r;
  }
}

// Asian variant as first written: spots stay in global memory, one array per asset and path
__global__ void asianKernel(Rng* states, float* spots, float* pay, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Rng r = states[i];
  float average = 0;
  for (int a = 0; a < kAssets; ++a)
    spots[i * kAssets + a] = 0;
  for (int t = 0; t < kSteps; ++t) {
    evolve(market, r, spots + i * kAssets, 1.0f);
    float level = 0;
    for (int a = 0; a < kAssets; ++a)
      level += market.weight[a] * market.spot[a] * expf(spots[i * kAssets + a]);
    average += level / kSteps;
  }
  pay[i] = market.discount * fmaxf(average - market.strike, 0.0f);
}

__global__ void sumKernel(const float* pay, double* partial, int n) {
  extern __shared__ double buf[];
  double* sq = buf + blockDim.x;
  double s = 0, s2 = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    s += pay[i];
    s2 += (double)pay[i] * pay[i];
  }
  buf[threadIdx.x] = s;
  sq[threadIdx.x] = s2;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (threadIdx.x < w) {
      buf[threadIdx.x] += buf[threadIdx.x + w];
      sq[threadIdx.x] += sq[threadIdx.x + w];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[2 * blockIdx.x] = buf[0];
    partial[2 * blockIdx.x + 1] = sq[0];
  }
}

static Market makeMarket() {
  Market m;
  float corr[kAssets][kAssets];
  for (int i = 0; i < kAssets; ++i)
    for (int j = 0; j < kAssets; ++j)
      corr[i][j] = i == j ? 1.0f : 0.3f + 0.4f * std::exp(-0.5f * std::abs(i - j));
  for (int i = 0; i < kAssets; ++i)
    for (int j = 0; j < kAssets; ++j) {
      m.chol[i][j] = 0;
      if (j > i)
        continue;
      float s = corr[i][j];
      for (int k = 0; k < j; ++k)
        s -= m.chol[i][k] * m.chol[j][k];
      m.chol[i][j] = i == j ? std::sqrt(s) : s / m.chol[j][j];
    }
  float rate = 0.03f, maturity = 1.0f, dt = maturity / kSteps;
  for (int i = 0; i < kAssets; ++i) {
    float vol = 0.18f + 0.03f * i;
    m.spot[i] = 80.0f + 6.0f * i;
    m.weight[i] = 1.0f / kAssets;
    m.drift[i] = (rate - 0.5f * vol * vol) * dt;
    m.volSqrtDt[i] = vol * std::sqrt(dt);
  }
  m.strike = 100.0f;
  m.discount = std::exp(-rate * maturity);
  return m;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 8192;
  Market m = makeMarket();
  check(cudaMemcpyToSymbol(market, &m, sizeof m), "constants");
  Rng* states;
  float *payB, *payW, *payA, *spots;
  double* partial;
  const int sumBlocks = 64;
  check(cudaMalloc(&states, n * sizeof(Rng)), "malloc");
  check(cudaMalloc(&payB, n * sizeof(float)), "malloc");
  check(cudaMalloc(&payW, n * sizeof(float)), "malloc");
  check(cudaMalloc(&payA, n * sizeof(float)), "malloc");
  check(cudaMalloc(&spots, (size_t)n * kAssets * sizeof(float)), "malloc");
  check(cudaMalloc(&partial, 2 * sumBlocks * sizeof(double)), "malloc");

  seedKernel<<<(n + 255) / 256, 256>>>(states, n);
  asianKernel<<<(n + 127) / 128, 128>>>(states, spots, payA, n);
  basketKernel<<<std::min((n + 127) / 128, 264), 128>>>(states, payB, payW, n);

  double mean[3], err[3];
  float* pays[3] = {payB, payA, payW};
  std::vector<double> host(2 * sumBlocks);
  for (int k = 0; k < 3; ++k) {
    sumKernel<<<sumBlocks, 256, 2 * 256 * sizeof(double)>>>(pays[k], partial, n);
    check(cudaMemcpy(host.data(), partial, host.size() * sizeof(double), cudaMemcpyDeviceToHost),
          "sum");
    double s = 0, s2 = 0;
    for (int b = 0; b < sumBlocks; ++b) {
      s += host[2 * b];
      s2 += host[2 * b + 1];
    }
    mean[k] = s / n;
    err[k] = std::sqrt(std::max(0.0, s2 / n - mean[k] * mean[k]) / n);
  }
  std::printf("basket %.4f +- %.4f, asian %.4f +- %.4f, worst-of %.4f +- %.4f\n", mean[0], err[0],
              mean[1], err[1], mean[2], err[2]);

  std::vector<float> hb(n), ha(n);
  check(cudaMemcpy(hb.data(), payB, n * sizeof(float), cudaMemcpyDeviceToHost), "copy");
  check(cudaMemcpy(ha.data(), payA, n * sizeof(float), cudaMemcpyDeviceToHost), "copy");
  int wrong = 0;
  for (int i = 0; i < n; i += 37) {
    float basket = 0, asian = 0;
    for (int anti = 0; anti < 2; ++anti) {
      Rng r = seedRng(i);
      float l[kAssets] = {0};
      float avg = 0, level = 0;
      for (int t = 0; t < kSteps; ++t) {
        evolve(m, r, l, anti ? -1.0f : 1.0f);
        level = 0;
        for (int a = 0; a < kAssets; ++a)
          level += m.weight[a] * m.spot[a] * std::exp(l[a]);
        avg += level / kSteps;
      }
      basket += 0.5f * std::max(level - m.strike, 0.0f) * m.discount;
      if (!anti)
        asian = m.discount * std::max(avg - m.strike, 0.0f);
    }
    if (std::fabs(basket - hb[i]) > 0.02f || std::fabs(asian - ha[i]) > 0.02f)
      ++wrong;
  }
  double sumB = 0;
  for (float v : hb)
    sumB += v;
  if (std::fabs(sumB / n - mean[0]) > 1e-6 * mean[0])
    ++wrong;
  if (!(mean[1] < mean[0]))
    ++wrong;
  if (wrong) {
    std::printf("FAIL %d wrong\n", wrong);
    return 1;
  }
  std::puts("PASS");
  return 0;
}
