// SPDX-License-Identifier: Apache-2.0
// Spectral element Helmholtz operator by small tensor contractions and face sums.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

constexpr int NQ = 8;            // points per direction
constexpr int NP = NQ * NQ * NQ; // points per element

#define CALL(x)                                                                                    \
  do {                                                                                             \
    cudaError_t err_ = x;                                                                          \
    if (err_ != cudaSuccess) {                                                                     \
      printf("FAIL %s at %d\n", cudaGetErrorString(err_), __LINE__);                               \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__constant__ double cD[NQ * NQ];

struct Geo {
  double rr, ss, tt, w; // diagonal metric terms and the mass weight
};

__host__ __device__ inline Geo metric(int e, int p) {
  Geo g;
  double a = 1.0 + 0.01 * (e % 7), b = 1.0 + 0.001 * (p % 11);
  g.rr = a * b;
  g.ss = b / a;
  g.tt = 0.5 * (a + b);
  g.w = 0.1 * b;
  return g;
}

__global__ void geometry(Geo* g, int elements) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < elements * NP)
    g[k] = metric(k / NP, k % NP);
}

// One block of NQ x NQ threads per element; each thread owns a column in t.
__global__ void helmholtz(const double* __restrict__ u, const Geo* __restrict__ geo,
                          double* __restrict__ out, double lambda) {
  __shared__ double su[NQ][NQ][NQ];
  __shared__ double gr[NQ][NQ], gs[NQ][NQ];
  __shared__ double d[NQ][NQ];
  int i = threadIdx.x, j = threadIdx.y, e = blockIdx.x;
  d[j][i] = cD[j * NQ + i];
  for (int k = 0; k < NQ; k++)
    su[k][j][i] = u[(size_t)e * NP + (k * NQ + j) * NQ + i];
  __syncthreads();
  double acc[NQ];
#pragma unroll
  for (int k = 0; k < NQ; k++)
    acc[k] = 0;
#pragma unroll
  for (int k = 0; k < NQ; k++) {
    double r = 0, s = 0, t = 0;
#pragma unroll
    for (int m = 0; m < NQ; m++) {
      r += d[i][m] * su[k][j][m];
      s += d[j][m] * su[k][m][i];
      t += d[k][m] * su[m][j][i];
    }
    const Geo g = geo[(size_t)e * NP + (k * NQ + j) * NQ + i];
    __syncthreads();
    gr[j][i] = g.rr * r;
    gs[j][i] = g.ss * s;
    t *= g.tt;
    __syncthreads();
    double v = lambda * g.w * su[k][j][i];
#pragma unroll
    for (int m = 0; m < NQ; m++) {
      v += d[m][i] * gr[j][m] + d[m][j] * gs[m][i];
      acc[m] += d[k][m] * t;
    }
    acc[k] += v;
  }
  for (int k = 0; k < NQ; k++)
    out[(size_t)e * NP + (k * NQ + j) * NQ + i] = acc[k];
}

// Elements form a chain in x; the last face of one is the first face of the next. Sum the shared
// faces.
__global__ void gather_faces(double* w, int elements) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int faces = (elements - 1) * NQ * NQ;
  if (k >= faces)
    return;
  int e = k / (NQ * NQ), f = k % (NQ * NQ);
  size_t a = (size_t)e * NP + f * NQ + NQ - 1, b = (size_t)(e + 1) * NP + f * NQ;
  double s = w[a] + w[b];
  w[a] = s;
  w[b] = s;
}

__global__ void axpby(double a, const double* x, double b, double* y, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n)
    y[k] = a * x[k] + b * y[k];
}

__global__ void element_norms(const double* u, double* norm) {
  __shared__ double s[128];
  double v = 0;
  for (int p = threadIdx.x; p < NP; p += 128)
    v += u[(size_t)blockIdx.x * NP + p] * u[(size_t)blockIdx.x * NP + p];
  s[threadIdx.x] = v;
  for (int h = 64; h > 0; h >>= 1) {
    __syncthreads();
    if (threadIdx.x < h)
      s[threadIdx.x] += s[threadIdx.x + h];
  }
  if (threadIdx.x == 0)
    norm[blockIdx.x] = s[0];
}

static void hostApply(const double* D, const std::vector<double>& u, std::vector<double>& w,
                      int elements, double lambda) {
  for (int e = 0; e < elements; e++) {
    const double* x = &u[(size_t)e * NP];
    double* y = &w[(size_t)e * NP];
    for (int p = 0; p < NP; p++)
      y[p] = 0;
    for (int k = 0; k < NQ; k++)
      for (int j = 0; j < NQ; j++)
        for (int i = 0; i < NQ; i++) {
          int p = (k * NQ + j) * NQ + i;
          double r = 0, s = 0, t = 0;
          for (int m = 0; m < NQ; m++) {
            r += D[i * NQ + m] * x[(k * NQ + j) * NQ + m];
            s += D[j * NQ + m] * x[(k * NQ + m) * NQ + i];
            t += D[k * NQ + m] * x[(m * NQ + j) * NQ + i];
          }
          Geo g = metric(e, p);
          for (int m = 0; m < NQ; m++) {
            y[(k * NQ + j) * NQ + m] += D[i * NQ + m] * g.rr * r;
            y[(k * NQ + m) * NQ + i] += D[j * NQ + m] * g.ss * s;
            y[(m * NQ + j) * NQ + i] += D[k * NQ + m] * g.tt * t;
          }
          y[p] += lambda * g.w * x[p];
        }
  }
  for (int e = 0; e + 1 < elements; e++)
    for (int f = 0; f < NQ * NQ; f++) {
      double &a = w[(size_t)e * NP + f * NQ + NQ - 1], &b = w[(size_t)(e + 1) * NP + f * NQ];
      a = b = a + b;
    }
}

int main(int argc, char** argv) {
  int elements = argc > 1 ? atoi(argv[1]) : 100;
  int n = elements * NP;
  // differentiation matrix on Chebyshev points
  double D[NQ * NQ], xp[NQ];
  for (int i = 0; i < NQ; i++)
    xp[i] = -cos(M_PI * i / (NQ - 1));
  for (int i = 0; i < NQ; i++) {
    double diag = 0;
    for (int j = 0; j < NQ; j++)
      if (i != j) {
        double ci = i == 0 || i == NQ - 1 ? 2 : 1, cj = j == 0 || j == NQ - 1 ? 2 : 1;
        D[i * NQ + j] = ci / cj * ((i + j) % 2 ? -1 : 1) / (xp[i] - xp[j]);
        diag -= D[i * NQ + j];
      }
    D[i * NQ + i] = diag;
  }
  std::vector<double> u(n), w(n), got(n), hn(elements);
  for (int k = 0; k < n; k++)
    u[k] = sin(0.01 * (k % 1000)) + 0.1 * ((k * 31) % 17);
  double *du, *dw, *dn;
  Geo* dg;
  CALL(cudaMalloc(&du, n * sizeof(double)));
  CALL(cudaMalloc(&dw, n * sizeof(double)));
  CALL(cudaMalloc(&dn, elements * sizeof(double)));
  CALL(cudaMalloc(&dg, n * sizeof(Geo)));
  CALL(cudaMemcpy(du, u.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToSymbol(cD, D, sizeof D));
  geometry<<<(n + 255) / 256, 256>>>(dg, elements);
  const int iterations = 3;
  for (int it = 0; it < iterations; it++) {
    helmholtz<<<elements, dim3(NQ, NQ)>>>(du, dg, dw, 1.5);
    gather_faces<<<((elements - 1) * NQ * NQ + 127) / 128, 128>>>(dw, elements);
    axpby<<<(n + 255) / 256, 256>>>(-0.0005, dw, 1.0, du, n);
  }
  element_norms<<<elements, 128>>>(du, dn);
  CALL(cudaGetLastError());
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemcpy(got.data(), du, n * sizeof(double), cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(hn.data(), dn, elements * sizeof(double), cudaMemcpyDeviceToHost));
  for (int it = 0; it < iterations; it++) {
    hostApply(D, u, w, elements, 1.5);
    for (int k = 0; k < n; k++)
      u[k] -= 0.0005 * w[k];
  }
  double worst = 0, top = 0, nworst = 0;
  for (int k = 0; k < n; k++) {
    double e = fabs(got[k] - u[k]);
    if (!(e <= worst))
      worst = e;
    top = fmax(top, fabs(u[k]));
  }
  for (int e = 0; e < elements; e++) {
    double s = 0;
    for (int p = 0; p < NP; p++)
      s += got[(size_t)e * NP + p] * got[(size_t)e * NP + p];
    double d = fabs(s - hn[e]) / (1 + s);
    if (!(d <= nworst))
      nworst = d;
  }
  printf("largest %.6g, worst difference %.3g\n", top, worst);
  if (!(worst <= 1e-9 * top) || !(nworst < 1e-9)) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
