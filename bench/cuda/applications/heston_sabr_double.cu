// SPDX-License-Identifier: Apache-2.0
// Simulates Heston and SABR paths in double precision and prices a strip of strikes from the
// terminal values.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NSTRIKES 12
#define HESTON_STEPS 24
#define SABR_STEPS 20
#define TPB 192

#define CU(x)                                                                                      \
  if ((x) != cudaSuccess) {                                                                        \
    printf("FAIL cuda error line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError()));     \
    return 1;                                                                                      \
  }

typedef unsigned long long u64;

typedef struct {
  double s0, v0, kappa, theta, xi, rho, r, T;
} heston_t;

typedef struct {
  double f0, alpha, beta, nu, rho, T;
} sabr_t;

__host__ __device__ double next_u(u64* s) {
  *s = *s * 6364136223846793005ULL + 1442695040888963407ULL;
  u64 x = *s;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 29;
  return ((double)(x >> 12) + 0.5) / 4503599627370496.0;
}

__host__ __device__ double heston_path(heston_t p, u64 seed, double* vmin) {
  double dt = p.T / HESTON_STEPS, x = log(p.s0), v = p.v0;
  u64 s = seed * 0x9E3779B97F4A7C15ULL + 12345;
  double lo = v;
  for (int k = 0; k < HESTON_STEPS; k++) {
    double rr = sqrt(-2.0 * log(next_u(&s)));
    double an = 6.283185307179586 * next_u(&s);
    double z1 = rr * cos(an), z2 = rr * sin(an);
    double w = p.rho * z1 + sqrt(1.0 - p.rho * p.rho) * z2;
    double vp = v > 0 ? v : 0;
    double sv = sqrt(vp * dt);
    x += (p.r - 0.5 * vp) * dt + sv * z1;
    v += p.kappa * (p.theta - vp) * dt + p.xi * sv * w;
    if (v < lo)
      lo = v;
  }
  *vmin = lo;
  return exp(x);
}

__host__ __device__ double sabr_path(sabr_t p, u64 seed, int* absorbed) {
  double dt = p.T / SABR_STEPS, f = p.f0, a = p.alpha;
  u64 s = seed * 0xD1B54A32D192ED03ULL + 777;
  *absorbed = 0;
  for (int k = 0; k < SABR_STEPS; k++) {
    double rr = sqrt(-2.0 * log(next_u(&s)));
    double an = 6.283185307179586 * next_u(&s);
    double z1 = rr * cos(an), z2 = rr * sin(an);
    double w = p.rho * z1 + sqrt(1.0 - p.rho * p.rho) * z2;
    f += a * pow(f, p.beta) * sqrt(dt) * z1;
    if (f <= 0) {
      *absorbed = 1;
      return 0.0;
    }
    a *= exp(-0.5 * p.nu * p.nu * dt + p.nu * sqrt(dt) * w);
  }
  return f;
}

__global__ void heston_kernel(heston_t p, double* term, double* vmin, int n) {
  int id = blockDim.x * blockIdx.x + threadIdx.x;
  if (id < n)
    term[id] = heston_path(p, (u64)id + 1, &vmin[id]);
}

__global__ void sabr_kernel(sabr_t p, double* term, int* absorbed, int n) {
  int id = blockDim.x * blockIdx.x + threadIdx.x;
  if (id < n) {
    int a;
    term[id] = sabr_path(p, (u64)id + 1, &a);
    if (a)
      atomicAdd(absorbed, 1);
  }
}

// every block does one strike over all the paths
__global__ void strip_kernel(const double* __restrict__ term, const double* __restrict__ strikes,
                             double disc, double* price, int n) {
  __shared__ double part[256];
  double K = strikes[blockIdx.x], acc = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    double pay = term[i] - K;
    acc += pay > 0 ? pay : 0.0;
  }
  part[threadIdx.x] = acc;
  __syncthreads();
  for (int h = 128; h; h >>= 1) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    price[blockIdx.x] = disc * part[0] / n;
}

// implied volatility of one strike per thread, bisection then done
__global__ void implied_kernel(const double* price, const double* strikes, double fwd, double disc,
                               double T, double* vol, int m) {
  int k = threadIdx.x;
  if (k >= m)
    return;
  double lo = 1e-4, hi = 3.0, K = strikes[k];
  for (int it = 0; it < 45; it++) {
    double s = 0.5 * (lo + hi), sd = s * sqrt(T);
    double d1 = log(fwd / K) / sd + 0.5 * sd, d2 = d1 - sd;
    double c = disc * (fwd * normcdf(d1) - K * normcdf(d2));
    if (c < price[k])
      lo = s;
    else
      hi = s;
  }
  vol[k] = 0.5 * (lo + hi);
}

static double host_price(double f, double K, double disc, double T, double s) {
  double sd = s * sqrt(T), d1 = log(f / K) / sd + 0.5 * sd, d2 = d1 - sd;
  return disc * (f * 0.5 * erfc(-d1 / sqrt(2.0)) - K * 0.5 * erfc(-d2 / sqrt(2.0)));
}

int main(int argc, char* argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  heston_t hp = {100.0, 0.05, 1.6, 0.06, 0.45, -0.6, 0.02, 1.0};
  sabr_t sp = {100.0, 1.6, 0.6, 0.4, -0.3, 1.0};
  double hs[NSTRIKES];
  for (int i = 0; i < NSTRIKES; i++)
    hs[i] = 78.0 + 4.0 * i;

  double *d_term, *d_vmin, *d_fwd, *d_strike, *d_price, *d_vol;
  int* d_abs;
  CU(cudaMalloc(&d_term, n * sizeof(double)));
  CU(cudaMalloc(&d_vmin, n * sizeof(double)));
  CU(cudaMalloc(&d_fwd, n * sizeof(double)));
  CU(cudaMalloc(&d_strike, sizeof hs));
  CU(cudaMalloc(&d_price, 2 * sizeof hs));
  CU(cudaMalloc(&d_vol, 2 * sizeof hs));
  CU(cudaMalloc(&d_abs, sizeof(int)));
  CU(cudaMemset(d_abs, 0, sizeof(int)));
  CU(cudaMemcpy(d_strike, hs, sizeof hs, cudaMemcpyHostToDevice));

  cudaEvent_t t0, t1;
  cudaEventCreate(&t0);
  cudaEventCreate(&t1);
  cudaEventRecord(t0);
  int grid = (n + TPB - 1) / TPB;
  double disc = exp(-hp.r * hp.T);
  heston_kernel<<<grid, TPB>>>(hp, d_term, d_vmin, n);
  sabr_kernel<<<grid, TPB>>>(sp, d_fwd, d_abs, n);
  strip_kernel<<<NSTRIKES, 256>>>(d_term, d_strike, disc, d_price, n);
  strip_kernel<<<NSTRIKES, 256>>>(d_fwd, d_strike, 1.0, d_price + NSTRIKES, n);
  implied_kernel<<<1, 32>>>(d_price, d_strike, hp.s0 / disc, disc, hp.T, d_vol, NSTRIKES);
  implied_kernel<<<1, 32>>>(d_price + NSTRIKES, d_strike, sp.f0, 1.0, sp.T, d_vol + NSTRIKES,
                            NSTRIKES);
  cudaEventRecord(t1);
  CU(cudaDeviceSynchronize());
  float ms;
  cudaEventElapsedTime(&ms, t0, t1);

  double *term = (double*)malloc(n * sizeof(double)), *fwd = (double*)malloc(n * sizeof(double));
  double price[2 * NSTRIKES], vol[2 * NSTRIKES];
  CU(cudaMemcpy(term, d_term, n * sizeof(double), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(fwd, d_fwd, n * sizeof(double), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(price, d_price, sizeof price, cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(vol, d_vol, sizeof vol, cudaMemcpyDeviceToHost));

  int bad = 0;
  for (int i = 0; i < n; i += 17) {
    double lo;
    int a;
    double x = heston_path(hp, (u64)i + 1, &lo), y = sabr_path(sp, (u64)i + 1, &a);
    if (fabs(x - term[i]) > 1e-7 * x || fabs(y - fwd[i]) > 1e-6 * (y + 1))
      bad++;
  }
  for (int m = 0; m < 2; m++)
    for (int k = 0; k < NSTRIKES; k++) {
      double acc = 0, *t = m ? fwd : term;
      for (int i = 0; i < n; i++)
        acc += t[i] > hs[k] ? t[i] - hs[k] : 0;
      acc *= (m ? 1.0 : disc) / n;
      double p = price[m * NSTRIKES + k];
      if (fabs(acc - p) > 1e-9 * (acc + 1))
        bad++;
      double back =
          host_price(m ? sp.f0 : hp.s0 / disc, hs[k], m ? 1.0 : disc, 1.0, vol[m * NSTRIKES + k]);
      if (vol[m * NSTRIKES + k] > 1e-3 && fabs(back - p) > 1e-6 * (p + 1))
        bad++;
    }
  printf("heston ATM vol %.4f, sabr ATM vol %.4f, %.3f ms\n", vol[6], vol[NSTRIKES + 6], ms);
  if (bad)
    printf("FAIL %d\n", bad);
  else
    printf("PASS\n");
  free(term);
  free(fwd);
  return bad != 0;
}
