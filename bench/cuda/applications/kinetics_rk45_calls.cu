// SPDX-License-Identifier: Apache-2.0
// Chemical kinetics in many cells by adaptive Runge-Kutta 4(5) whose right-hand side is a called
// function over per-thread arrays. per-thread arrays, and mixes neighbours.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NSP 14
#define NRX 22
#define MAXSTEPS 60

#define HANDLE_ERROR(err) handleError(err, __FILE__, __LINE__)
static void handleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("FAIL %s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}

typedef struct {
  int a, b; // reactants (b < 0: none)
  int c, d; // products (d < 0: none)
  double k0, n, ea;
} reaction;

typedef struct {
  reaction r[NRX];
} mechanism;

__constant__ mechanism dev_mech;

__host__ __device__ void rateConstants(const mechanism* m, double T, double* k) {
  for (int i = 0; i < NRX; i++)
    k[i] = m->r[i].k0 * pow(T / 300.0, m->r[i].n) * exp(-m->r[i].ea / T);
}

__host__ __device__ __noinline__ void derivatives(const mechanism* m, const double* k,
                                                  const double* y, double* f) {
  for (int s = 0; s < NSP; s++)
    f[s] = 0.0;
  for (int i = 0; i < NRX; i++) {
    const reaction* r = &m->r[i];
    double q = k[i] * y[r->a];
    if (r->b >= 0)
      q *= y[r->b];
    f[r->a] -= q;
    if (r->b >= 0)
      f[r->b] -= q;
    f[r->c] += q;
    if (r->d >= 0)
      f[r->d] += q;
  }
}

// Dormand-Prince; returns the number of steps tried
__host__ __device__ int integrate(const mechanism* m, const double* k, double* y, double tEnd) {
  double k1[NSP], k2[NSP], k3[NSP], k4[NSP], k5[NSP], k6[NSP], k7[NSP], w[NSP];
  const double rtol = 1e-4, atol = 1e-8;
  double t = 0, h = tEnd / 16;
  int tries = 0;
  derivatives(m, k, y, k1);
  while (t < tEnd && tries < MAXSTEPS) {
    tries++;
    if (t + h > tEnd)
      h = tEnd - t;
    for (int s = 0; s < NSP; s++)
      w[s] = y[s] + h * (1.0 / 5) * k1[s];
    derivatives(m, k, w, k2);
    for (int s = 0; s < NSP; s++)
      w[s] = y[s] + h * (3.0 / 40 * k1[s] + 9.0 / 40 * k2[s]);
    derivatives(m, k, w, k3);
    for (int s = 0; s < NSP; s++)
      w[s] = y[s] + h * (44.0 / 45 * k1[s] - 56.0 / 15 * k2[s] + 32.0 / 9 * k3[s]);
    derivatives(m, k, w, k4);
    for (int s = 0; s < NSP; s++)
      w[s] = y[s] + h * (19372.0 / 6561 * k1[s] - 25360.0 / 2187 * k2[s] + 64448.0 / 6561 * k3[s] -
                         212.0 / 729 * k4[s]);
    derivatives(m, k, w, k5);
    for (int s = 0; s < NSP; s++)
      w[s] = y[s] + h * (9017.0 / 3168 * k1[s] - 355.0 / 33 * k2[s] + 46732.0 / 5247 * k3[s] +
                         49.0 / 176 * k4[s] - 5103.0 / 18656 * k5[s]);
    derivatives(m, k, w, k6);
    for (int s = 0; s < NSP; s++)
      w[s] = y[s] + h * (35.0 / 384 * k1[s] + 500.0 / 1113 * k3[s] + 125.0 / 192 * k4[s] -
                         2187.0 / 6784 * k5[s] + 11.0 / 84 * k6[s]);
    derivatives(m, k, w, k7);
    double err = 0;
    for (int s = 0; s < NSP; s++) {
      double e = h * (71.0 / 57600 * k1[s] - 71.0 / 16695 * k3[s] + 71.0 / 1920 * k4[s] -
                      17253.0 / 339200 * k5[s] + 22.0 / 525 * k6[s] - 1.0 / 40 * k7[s]);
      double scale = atol + rtol * fmax(fabs(y[s]), fabs(w[s]));
      err += (e / scale) * (e / scale);
    }
    err = sqrt(err / NSP);
    if (err <= 1.0) {
      t += h;
      for (int s = 0; s < NSP; s++) {
        y[s] = w[s];
        k1[s] = k7[s];
      }
    }
    double grow = err > 0 ? 0.9 * pow(err, -0.2) : 5.0;
    h *= fmin(5.0, fmax(0.2, grow));
  }
  return tries;
}

__host__ __device__ double unit(unsigned x) {
  x ^= x >> 16;
  x *= 0x45d9f3bu;
  x ^= x >> 16;
  x *= 0x45d9f3bu;
  x ^= x >> 16;
  return x / 4294967296.0;
}

// cells are stored species after species for the transport, cell after cell for the chemistry
__host__ __device__ double initialValue(int cell, int s) {
  return s < 6 ? 0.05 + 0.3 * unit(cell * 31u + s * 7u + 1u) : 1e-6;
}
__host__ __device__ double temperatureOf(int cell, int cells) {
  double hot = unit(cell / 8 + 17u) > 0.85 ? 500.0 : 0.0; // hot spots make uneven work
  return 700.0 + 250.0 * sin(6.28 * cell / cells) + hot;
}

__global__ void initCells(double* y, double* temp, int cells) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cells)
    return;
  for (int s = 0; s < NSP; s++)
    y[c * NSP + s] = initialValue(c, s);
  temp[c] = temperatureOf(c, cells);
}

__global__ void chemistry(double* y, const double* temp, int* tries, int cells, double dt) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cells)
    return;
  double k[NRX], local[NSP];
  rateConstants(&dev_mech, temp[c], k);
  for (int s = 0; s < NSP; s++)
    local[s] = y[c * NSP + s];
  tries[c] = integrate(&dev_mech, k, local, dt);
  for (int s = 0; s < NSP; s++)
    y[c * NSP + s] = local[s];
}

__global__ void mixNeighbours(const double* y, double* out, int cells, double alpha) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells * NSP)
    return;
  int c = i / NSP, s = i % NSP;
  double l = y[(c == 0 ? cells - 1 : c - 1) * NSP + s];
  double r = y[(c == cells - 1 ? 0 : c + 1) * NSP + s];
  out[i] = y[i] + alpha * (l + r - 2 * y[i]);
}

// totals of all species: one block per species, strided reads
__global__ void totals(const double* y, double* sum, int cells) {
  __shared__ double part[128];
  double s = 0;
  for (int c = threadIdx.x; c < cells; c += blockDim.x)
    s += y[c * NSP + blockIdx.x];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int k = 64; k > 0; k >>= 1) {
    if (threadIdx.x < k)
      part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sum[blockIdx.x] = part[0];
}

int main(int argc, char** argv) {
  int cells = argc > 1 ? atoi(argv[1]) : 512;
  mechanism mech;
  for (int i = 0; i < NRX; i++) {
    reaction* r = &mech.r[i];
    unsigned u = i * 101u + 3u;
    r->a = (int)(unit(u) * (i < 8 ? 6 : NSP));
    r->b = i % 4 == 3 ? -1 : (int)(unit(u + 1) * NSP);
    r->c = (r->a + 1 + (int)(unit(u + 2) * (NSP - 1))) % NSP;
    r->d = r->b < 0 ? -1 : (int)(unit(u + 3) * NSP);
    r->k0 = 20.0 + 600.0 * unit(u + 4);
    r->n = unit(u + 5) - 0.5;
    r->ea = 300.0 + 2500.0 * unit(u + 6);
  }
  HANDLE_ERROR(cudaMemcpyToSymbol(dev_mech, &mech, sizeof mech));
  double *y, *y2, *temp, *sum;
  int* tries;
  HANDLE_ERROR(cudaMalloc(&y, cells * NSP * sizeof(double)));
  HANDLE_ERROR(cudaMalloc(&y2, cells * NSP * sizeof(double)));
  HANDLE_ERROR(cudaMalloc(&temp, cells * sizeof(double)));
  HANDLE_ERROR(cudaMalloc(&sum, 2 * NSP * sizeof(double)));
  HANDLE_ERROR(cudaMalloc(&tries, cells * sizeof(int)));

  const double dt = 0.02, alpha = 0.1;
  const int outer = 2;
  initCells<<<(cells + 127) / 128, 128>>>(y, temp, cells);
  totals<<<NSP, 128>>>(y, sum, cells);
  double* first = (double*)malloc(cells * NSP * sizeof(double));
  int* ht = (int*)malloc(cells * sizeof(int));
  for (int step = 0; step < outer; step++) {
    chemistry<<<(cells + 31) / 32, 32>>>(y, temp, tries, cells, dt);
    if (step == 0) {
      HANDLE_ERROR(cudaMemcpy(first, y, cells * NSP * sizeof(double), cudaMemcpyDeviceToHost));
      HANDLE_ERROR(cudaMemcpy(ht, tries, cells * sizeof(int), cudaMemcpyDeviceToHost));
    }
    mixNeighbours<<<(cells * NSP + 255) / 256, 256>>>(y, y2, cells, alpha);
    double* t = y;
    y = y2;
    y2 = t;
  }
  totals<<<NSP, 128>>>(y, sum + NSP, cells);
  HANDLE_ERROR(cudaGetLastError());
  double hs[2 * NSP];
  double* last = (double*)malloc(cells * NSP * sizeof(double));
  HANDLE_ERROR(cudaMemcpy(hs, sum, sizeof hs, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(last, y, cells * NSP * sizeof(double), cudaMemcpyDeviceToHost));

  int bad = 0, most = 0, least = MAXSTEPS;
  for (int c = 0; c < cells; c++) {
    most = ht[c] > most ? ht[c] : most;
    least = ht[c] < least ? ht[c] : least;
    if (c % 9)
      continue;
    double v[NSP], k[NRX];
    for (int s = 0; s < NSP; s++)
      v[s] = initialValue(c, s);
    rateConstants(&mech, temperatureOf(c, cells), k);
    integrate(&mech, k, v, dt);
    for (int s = 0; s < NSP; s++)
      if (!(fabs(v[s] - first[c * NSP + s]) < 1e-3 * fabs(v[s]) + 1e-7))
        bad++;
  }
  for (int s = 0; s < NSP; s++) {
    double ref = 0;
    for (int c = 0; c < cells; c++)
      ref += last[c * NSP + s];
    if (!(fabs(ref - hs[NSP + s]) < 1e-9 * fabs(ref) + 1e-12))
      bad++;
  }
  printf("%d to %d steps per cell, species 0: %.6f -> %.6f\n", least, most, hs[0], hs[NSP]);
  free(first);
  free(last);
  free(ht);
  if (bad) {
    printf("FAIL %d values\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
