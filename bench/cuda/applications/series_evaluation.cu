// SPDX-License-Identifier: Apache-2.0
// Evaluates many power, Chebyshev and damped Fourier series and finds roots.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TERMS 12
#define POINTS 8

typedef struct {
  double c[TERMS];
  double phase, decay;
} Series;

#define ASSERT_CUDA(stmt)                                                                          \
  if ((stmt) != cudaSuccess) {                                                                     \
    printf("FAIL: " #stmt "\n");                                                                   \
    exit(1);                                                                                       \
  }

__host__ __device__ static double horner(const Series* s, double x) {
  double v = s->c[TERMS - 1];
  for (int k = TERMS - 2; k >= 0; k--)
    v = v * x + s->c[k];
  return v;
}

__host__ __device__ static double clenshaw(const Series* s, double x) {
  double b1 = 0, b2 = 0;
  for (int k = TERMS - 1; k > 0; k--) {
    double b = 2 * x * b1 - b2 + s->c[k];
    b2 = b1;
    b1 = b;
  }
  return x * b1 - b2 + s->c[0];
}

__host__ __device__ static double fourier(const Series* s, double x) {
  double v = 0;
  for (int k = 0; k < TERMS; k++)
    v += s->c[k] * sin((k + 1) * x + s->phase) * exp(-s->decay * k * x);
  return v;
}

__host__ __device__ static double newton(const Series* s, double x) {
  /* the polynomial is made monotone by its large linear term */
  for (int it = 0; it < 5; it++) {
    double p = 0, d = 0;
    for (int k = TERMS - 1; k >= 0; k--) {
      d = d * x + p;
      p = p * x + s->c[k];
    }
    x -= p / d;
  }
  return x;
}

/* array of structs, one thread per series, results by points */
__global__ void evalPolynomials(const Series* s, const double* x, double* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  for (int p = 0; p < POINTS; p++)
    out[t * POINTS + p] = horner(&s[t], x[p]);
}

/* one thread per series and point, results transposed */
__global__ void evalChebyshev(const Series* s, const double* x, double* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int p = blockIdx.y;
  if (t < n)
    out[(size_t)p * n + t] += clenshaw(&s[t], x[p]);
}

__global__ void evalFourier(const Series* s, const double* x, double* out, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n * POINTS)
    return;
  int t = idx / POINTS, p = idx % POINTS;
  out[idx] = fourier(&s[t], x[p]);
}

__global__ void polishRoots(const Series* s, double* root, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    root[t] = newton(&s[t], -0.2);
}

/* weighted sum of the Fourier values of a series */
__global__ void quadrature(const double* f, const double* w, double* sum, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  double s = 0;
  for (int p = 0; p < POINTS; p++)
    s += w[p] * f[t * POINTS + p];
  sum[t] = s;
}

static unsigned lcg = 4242u;
static double rnd() {
  lcg = lcg * 1664525u + 1013904223u;
  return (lcg >> 8) / 16777216.0;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000;
  Series* hs = (Series*)malloc(n * sizeof(Series));
  double hx[POINTS], hw[POINTS];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < TERMS; k++)
      hs[i].c[k] = (rnd() - 0.5) / (k + 1);
    hs[i].c[1] = 4.0 + rnd();
    hs[i].phase = 6.28 * rnd();
    hs[i].decay = 0.5 * rnd();
  }
  for (int p = 0; p < POINTS; p++) {
    hx[p] = -0.9 + 1.8 * p / (POINTS - 1);
    hw[p] = (p == 0 || p == POINTS - 1) ? 0.5 : 1.0;
  }
  Series* s;
  double *x, *w, *poly, *cheb, *four, *root, *sum;
  size_t vals = (size_t)n * POINTS * sizeof(double);
  ASSERT_CUDA(cudaMalloc((void**)&s, n * sizeof(Series)));
  ASSERT_CUDA(cudaMalloc((void**)&x, sizeof hx));
  ASSERT_CUDA(cudaMalloc((void**)&w, sizeof hw));
  ASSERT_CUDA(cudaMalloc((void**)&poly, vals));
  ASSERT_CUDA(cudaMalloc((void**)&cheb, vals));
  ASSERT_CUDA(cudaMalloc((void**)&four, vals));
  ASSERT_CUDA(cudaMalloc((void**)&root, n * sizeof(double)));
  ASSERT_CUDA(cudaMalloc((void**)&sum, n * sizeof(double)));
  ASSERT_CUDA(cudaMemcpy(s, hs, n * sizeof(Series), cudaMemcpyHostToDevice));
  ASSERT_CUDA(cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice));
  ASSERT_CUDA(cudaMemcpy(w, hw, sizeof hw, cudaMemcpyHostToDevice));
  ASSERT_CUDA(cudaMemset(cheb, 0, vals));
  int b = (n + 127) / 128;
  for (int rep = 0; rep < 2; rep++) {
    evalPolynomials<<<b, 128>>>(s, x, poly, n);
    evalChebyshev<<<dim3(b, POINTS), 128>>>(s, x, cheb, n);
    evalFourier<<<(n * POINTS + 255) / 256, 256>>>(s, x, four, n);
    quadrature<<<b, 128>>>(four, w, sum, n);
    polishRoots<<<b, 128>>>(s, root, n);
  }
  ASSERT_CUDA(cudaDeviceSynchronize());
  double* hp = (double*)malloc(vals);
  double* hc = (double*)malloc(vals);
  double* hf = (double*)malloc(vals);
  double* hr = (double*)malloc(n * sizeof(double));
  double* hq = (double*)malloc(n * sizeof(double));
  ASSERT_CUDA(cudaMemcpy(hp, poly, vals, cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(hc, cheb, vals, cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(hf, four, vals, cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(hr, root, n * sizeof(double), cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(hq, sum, n * sizeof(double), cudaMemcpyDeviceToHost));
  double worst = 0, total = 0;
  for (int i = 0; i < n; i++) {
    double q = 0, e;
    for (int p = 0; p < POINTS; p++) {
      e = fabs(hp[i * POINTS + p] - horner(&hs[i], hx[p]));
      if (!(e <= worst))
        worst = e;
      e = fabs(hc[(size_t)p * n + i] - 2 * clenshaw(&hs[i], hx[p]));
      if (!(e <= worst))
        worst = e;
      if ((i + p) % 4 == 0) { /* the expensive one only on a sample */
        e = fabs(hf[i * POINTS + p] - fourier(&hs[i], hx[p]));
        if (!(e <= worst))
          worst = e;
      }
      q += hw[p] * hf[i * POINTS + p];
    }
    e = fabs(q - hq[i]);
    if (!(e <= worst))
      worst = e;
    e = fabs(horner(&hs[i], hr[i]));
    if (!(e <= worst))
      worst = e;
    total += q;
  }
  printf("sum of the quadratures %.9g\n", total);
  if (!(worst < 1e-10)) {
    printf("FAIL worst %g\n", worst);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
