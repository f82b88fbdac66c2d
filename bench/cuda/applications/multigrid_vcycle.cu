// SPDX-License-Identifier: Apache-2.0
// Multigrid V-cycles for the 2D Poisson equation, single-block coarsest solve.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CUDA(x)                                                                                    \
  do {                                                                                             \
    cudaError_t rc = x;                                                                            \
    if (rc != cudaSuccess) {                                                                       \
      printf("FAIL (cuda) %s\n", cudaGetErrorString(rc));                                          \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

const int LEVELS = 5, CYCLES = 2, COARSE_SWEEPS = 40;

// A level holds (n + 1)^2 points with zero boundary; h is absorbed in the right-hand side.
struct Level {
  int n;
  double *x, *y, *b, *r;
};

#define HD __host__ __device__ inline

HD double relax_point(const double* x, const double* b, int n, int i, int j) {
  int c = j * (n + 1) + i;
  double s = x[c - 1] + x[c + 1] + x[c - n - 1] + x[c + n + 1];
  return x[c] + 0.8 * (0.25 * (b[c] + s) - x[c]);
}
HD double residual_point(const double* x, const double* b, int n, int i, int j) {
  int c = j * (n + 1) + i;
  return b[c] - (4 * x[c] - x[c - 1] - x[c + 1] - x[c - n - 1] - x[c + n + 1]);
}
HD double restrict_point(const double* r, int nf, int i, int j) {
  int c = 2 * j * (nf + 1) + 2 * i, w = nf + 1;
  // full weighting; the factor four is h^2 of the coarser grid
  return 4 * (0.25 * r[c] + 0.125 * (r[c - 1] + r[c + 1] + r[c - w] + r[c + w]) +
              0.0625 * (r[c - w - 1] + r[c - w + 1] + r[c + w - 1] + r[c + w + 1]));
}
HD double interpolate(const double* e, int nc, int i, int j) {
  int w = nc + 1, c = (j / 2) * w + i / 2;
  if (i % 2 == 0 && j % 2 == 0)
    return e[c];
  if (j % 2 == 0)
    return 0.5 * (e[c] + e[c + 1]);
  if (i % 2 == 0)
    return 0.5 * (e[c] + e[c + w]);
  return 0.25 * (e[c] + e[c + 1] + e[c + w] + e[c + w + 1]);
}

__global__ void smooth(const double* __restrict__ x, const double* __restrict__ b,
                       double* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < n && j < n)
    y[j * (n + 1) + i] = relax_point(x, b, n, i, j);
}

__global__ void residual(const double* x, const double* b, double* r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < n && j < n)
    r[j * (n + 1) + i] = residual_point(x, b, n, i, j);
}

__global__ void restriction(const double* r, double* bc, double* xc, int nc) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < nc && j < nc) {
    bc[j * (nc + 1) + i] = restrict_point(r, 2 * nc, i, j);
    xc[j * (nc + 1) + i] = 0;
  }
}

__global__ void prolongate(const double* xc, double* x, int nc) {
  int n = 2 * nc;
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < n && j < n)
    x[j * (n + 1) + i] += interpolate(xc, nc, i, j);
}

// All sweeps of the coarsest grid in one block.
__global__ void coarse_solve(double* x, double* y, const double* b, int n, int sweeps) {
  for (int s = 0; s < sweeps; s++) {
    for (int k = threadIdx.x; k < (n - 1) * (n - 1); k += blockDim.x) {
      int i = k % (n - 1) + 1, j = k / (n - 1) + 1;
      y[j * (n + 1) + i] = relax_point(x, b, n, i, j);
    }
    __syncthreads();
    double* t = x;
    x = y;
    y = t;
  }
}

static dim3 grid_for(int n) {
  return dim3((n + 15) / 16, (n + 15) / 16);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 128;
  n = std::max(32, n / 16 * 16);
  std::vector<Level> L(LEVELS);
  for (int l = 0; l < LEVELS; l++) {
    L[l].n = n >> l;
    size_t bytes = sizeof(double) * (L[l].n + 1) * (L[l].n + 1);
    for (double** p : {&L[l].x, &L[l].y, &L[l].b, &L[l].r}) {
      CUDA(cudaMalloc(p, bytes));
      CUDA(cudaMemset(*p, 0, bytes));
    }
  }
  std::vector<double> b((n + 1) * (n + 1), 0.0);
  unsigned seed = 12345;
  for (int j = 1; j < n; j++)
    for (int i = 1; i < n; i++) {
      seed = seed * 1664525u + 1013904223u;
      b[j * (n + 1) + i] =
          sin(3.0 * i / n) * cos(5.0 * j / n) + 0.2 * ((seed >> 8) / 16777216.0 - 0.5);
    }
  CUDA(cudaMemcpy(L[0].b, b.data(), b.size() * sizeof(double), cudaMemcpyHostToDevice));

  dim3 blk(16, 16);
  for (int cyc = 0; cyc < CYCLES; cyc++) {
    for (int l = 0; l < LEVELS - 1; l++) {
      Level &f = L[l], &c = L[l + 1];
      smooth<<<grid_for(f.n - 1), blk>>>(f.x, f.b, f.y, f.n);
      smooth<<<grid_for(f.n - 1), blk>>>(f.y, f.b, f.x, f.n);
      residual<<<grid_for(f.n - 1), blk>>>(f.x, f.b, f.r, f.n);
      restriction<<<grid_for(c.n - 1), blk>>>(f.r, c.b, c.x, c.n);
    }
    Level& z = L[LEVELS - 1];
    coarse_solve<<<1, 256>>>(z.x, z.y, z.b, z.n, COARSE_SWEEPS);
    for (int l = LEVELS - 2; l >= 0; l--) {
      Level& f = L[l];
      prolongate<<<grid_for(f.n - 1), blk>>>(L[l + 1].x, f.x, L[l + 1].n);
      smooth<<<grid_for(f.n - 1), blk>>>(f.x, f.b, f.y, f.n);
      std::swap(f.x, f.y);
    }
  }
  CUDA(cudaDeviceSynchronize());
  std::vector<double> x(b.size());
  CUDA(cudaMemcpy(x.data(), L[0].x, x.size() * sizeof(double), cudaMemcpyDeviceToHost));

  // the same cycle on the host
  std::vector<std::vector<double>> hx(LEVELS), hb(LEVELS);
  for (int l = 0; l < LEVELS; l++) {
    hx[l].assign((size_t)((n >> l) + 1) * ((n >> l) + 1), 0.0);
    hb[l] = hx[l];
  }
  hb[0] = b;
  auto sweep = [&](int l) {
    int m = n >> l;
    std::vector<double> y(hx[l]);
    for (int j = 1; j < m; j++)
      for (int i = 1; i < m; i++)
        y[j * (m + 1) + i] = relax_point(hx[l].data(), hb[l].data(), m, i, j);
    hx[l].swap(y);
  };
  std::function<void(int)> cycle = [&](int l) {
    int m = n >> l;
    if (l == LEVELS - 1) {
      for (int s = 0; s < COARSE_SWEEPS; s++)
        sweep(l);
      return;
    }
    sweep(l);
    sweep(l);
    std::vector<double> r(hx[l].size(), 0.0);
    for (int j = 1; j < m; j++)
      for (int i = 1; i < m; i++)
        r[j * (m + 1) + i] = residual_point(hx[l].data(), hb[l].data(), m, i, j);
    std::fill(hx[l + 1].begin(), hx[l + 1].end(), 0.0);
    for (int j = 1; j < m / 2; j++)
      for (int i = 1; i < m / 2; i++)
        hb[l + 1][j * (m / 2 + 1) + i] = restrict_point(r.data(), m, i, j);
    cycle(l + 1);
    for (int j = 1; j < m; j++)
      for (int i = 1; i < m; i++)
        hx[l][j * (m + 1) + i] += interpolate(hx[l + 1].data(), m / 2, i, j);
    sweep(l);
  };
  for (int cyc = 0; cyc < CYCLES; cyc++)
    cycle(0);
  double err = 0, top = 0;
  for (size_t k = 0; k < x.size(); k++) {
    top = std::max(top, fabs(hx[0][k]));
    double d = fabs(x[k] - hx[0][k]);
    err = d <= err ? err : d;
  }
  printf("largest value %.6g\n", top);
  if (!(err <= 1e-10 * top)) {
    printf("FAIL error %g of %g\n", err, top);
    return 1;
  }
  puts("PASS");
  return 0;
}
