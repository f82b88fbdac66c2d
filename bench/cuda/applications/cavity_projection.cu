// SPDX-License-Identifier: Apache-2.0
// Lid-driven cavity flow on a staggered grid, projection with Jacobi pressure.
#include <cmath>
#include <cstdlib>
#include <cuda_runtime.h>
#include <iostream>
#include <utility>
#include <vector>

using real = double;

namespace {

struct Grid {
  int n; // cells per side
  real h, dt, re;
};

constexpr int kSteps = 3;
constexpr int kJacobi = 9;

// All fields have (n + 2) * (n + 2) entries with one ghost ring.
__host__ __device__ inline int at(const Grid& g, int i, int j) {
  return j * (g.n + 2) + i;
}

__host__ __device__ inline real predict_u(const Grid& g, const real* u, const real* v, int i,
                                          int j) {
  real uc = u[at(g, i, j)];
  real ue = 0.5 * (uc + u[at(g, i + 1, j)]), uw = 0.5 * (u[at(g, i - 1, j)] + uc);
  real un = 0.5 * (uc + u[at(g, i, j + 1)]), us = 0.5 * (uc + u[at(g, i, j - 1)]);
  real vn = 0.5 * (v[at(g, i, j)] + v[at(g, i + 1, j)]);
  real vs = 0.5 * (v[at(g, i, j - 1)] + v[at(g, i + 1, j - 1)]);
  real adv = (ue * ue - uw * uw + un * vn - us * vs) / g.h;
  real lap =
      (u[at(g, i + 1, j)] + u[at(g, i - 1, j)] + u[at(g, i, j + 1)] + u[at(g, i, j - 1)] - 4 * uc) /
      (g.h * g.h);
  return uc + g.dt * (lap / g.re - adv);
}

__host__ __device__ inline real predict_v(const Grid& g, const real* u, const real* v, int i,
                                          int j) {
  real vc = v[at(g, i, j)];
  real vn = 0.5 * (vc + v[at(g, i, j + 1)]), vs = 0.5 * (v[at(g, i, j - 1)] + vc);
  real ve = 0.5 * (vc + v[at(g, i + 1, j)]), vw = 0.5 * (vc + v[at(g, i - 1, j)]);
  real ue = 0.5 * (u[at(g, i, j)] + u[at(g, i, j + 1)]);
  real uw = 0.5 * (u[at(g, i - 1, j)] + u[at(g, i - 1, j + 1)]);
  real adv = (vn * vn - vs * vs + ue * ve - uw * vw) / g.h;
  real lap =
      (v[at(g, i + 1, j)] + v[at(g, i - 1, j)] + v[at(g, i, j + 1)] + v[at(g, i, j - 1)] - 4 * vc) /
      (g.h * g.h);
  return vc + g.dt * (lap / g.re - adv);
}

__host__ __device__ inline void wall(const Grid& g, real* u, real* v, int k) {
  const int n = g.n;
  u[at(g, 0, k)] = 0;
  u[at(g, n, k)] = 0;
  v[at(g, k, 0)] = 0;
  v[at(g, k, n)] = 0;
  if (k >= 1 && k <= n) {
    u[at(g, k, 0)] = k < n ? -u[at(g, k, 1)] : 0;
    u[at(g, k, n + 1)] = k < n ? 2.0 - u[at(g, k, n)] : 0;
    v[at(g, 0, k)] = k < n ? -v[at(g, 1, k)] : 0;
    v[at(g, n + 1, k)] = k < n ? -v[at(g, n, k)] : 0;
  }
}

__host__ __device__ inline real jacobi_cell(const Grid& g, const real* p, const real* rhs, int i,
                                            int j) {
  real c = p[at(g, i, j)];
  real e = i < g.n ? p[at(g, i + 1, j)] : c, w = i > 1 ? p[at(g, i - 1, j)] : c;
  real no = j < g.n ? p[at(g, i, j + 1)] : c, s = j > 1 ? p[at(g, i, j - 1)] : c;
  return 0.25 * (e + w + no + s - g.h * g.h * rhs[at(g, i, j)]);
}

__global__ void k_predict(Grid g, const real* u, const real* v, real* us, real* vs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i > g.n || j > g.n)
    return;
  us[at(g, i, j)] = i < g.n ? predict_u(g, u, v, i, j) : 0;
  vs[at(g, i, j)] = j < g.n ? predict_v(g, u, v, i, j) : 0;
}

__global__ void k_walls(Grid g, real* u, real* v) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < g.n + 2)
    wall(g, u, v, k);
}

__global__ void k_divergence(Grid g, const real* us, const real* vs, real* rhs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i > g.n || j > g.n)
    return;
  rhs[at(g, i, j)] =
      (us[at(g, i, j)] - us[at(g, i - 1, j)] + vs[at(g, i, j)] - vs[at(g, i, j - 1)]) /
      (g.h * g.dt);
}

__global__ void k_jacobi(Grid g, const real* __restrict__ p, const real* __restrict__ rhs,
                         real* __restrict__ q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i <= g.n && j <= g.n)
    q[at(g, i, j)] = jacobi_cell(g, p, rhs, i, j);
}

__global__ void k_correct(Grid g, real* u, real* v, const real* us, const real* vs, const real* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i > g.n || j > g.n)
    return;
  real k = g.dt / g.h;
  if (i < g.n)
    u[at(g, i, j)] = us[at(g, i, j)] - k * (p[at(g, i + 1, j)] - p[at(g, i, j)]);
  if (j < g.n)
    v[at(g, i, j)] = vs[at(g, i, j)] - k * (p[at(g, i, j + 1)] - p[at(g, i, j)]);
}

void host(const Grid& g, std::vector<real>& u, std::vector<real>& v, std::vector<real>& p) {
  size_t m = u.size();
  std::vector<real> us(m), vs(m), rhs(m), q(m);
  for (int s = 0; s < kSteps; ++s) {
    for (int k = 0; k < g.n + 2; ++k)
      wall(g, u.data(), v.data(), k);
    for (int j = 1; j <= g.n; ++j)
      for (int i = 1; i <= g.n; ++i) {
        us[at(g, i, j)] = i < g.n ? predict_u(g, u.data(), v.data(), i, j) : 0;
        vs[at(g, i, j)] = j < g.n ? predict_v(g, u.data(), v.data(), i, j) : 0;
      }
    for (int j = 1; j <= g.n; ++j)
      for (int i = 1; i <= g.n; ++i)
        rhs[at(g, i, j)] =
            (us[at(g, i, j)] - us[at(g, i - 1, j)] + vs[at(g, i, j)] - vs[at(g, i, j - 1)]) /
            (g.h * g.dt);
    for (int t = 0; t < kJacobi; ++t) {
      for (int j = 1; j <= g.n; ++j)
        for (int i = 1; i <= g.n; ++i)
          q[at(g, i, j)] = jacobi_cell(g, p.data(), rhs.data(), i, j);
      p.swap(q);
    }
    for (int j = 1; j <= g.n; ++j)
      for (int i = 1; i <= g.n; ++i) {
        real k = g.dt / g.h;
        if (i < g.n)
          u[at(g, i, j)] = us[at(g, i, j)] - k * (p[at(g, i + 1, j)] - p[at(g, i, j)]);
        if (j < g.n)
          v[at(g, i, j)] = vs[at(g, i, j)] - k * (p[at(g, i, j + 1)] - p[at(g, i, j)]);
      }
  }
}

real* field(size_t m) {
  real* d = nullptr;
  if (cudaMalloc(&d, m * sizeof(real)) != cudaSuccess ||
      cudaMemset(d, 0, m * sizeof(real)) != cudaSuccess) {
    std::cerr << "no device memory\n";
    std::exit(2);
  }
  return d;
}

} // namespace

int main(int argc, char** argv) {
  Grid g;
  g.n = argc > 1 ? std::atoi(argv[1]) : 128;
  g.h = 1.0 / g.n;
  g.re = 400;
  g.dt = 0.2 * g.h;
  if (g.dt > 0.2 * g.h * g.h * g.re)
    g.dt = 0.2 * g.h * g.h * g.re;
  size_t m = (size_t)(g.n + 2) * (g.n + 2);
  real *u = field(m), *v = field(m), *us = field(m), *vs = field(m), *rhs = field(m), *p = field(m),
       *q = field(m);
  dim3 block(32, 4), grid((g.n + 31) / 32, (g.n + 3) / 4);
  for (int s = 0; s < kSteps; ++s) {
    k_walls<<<(g.n + 2 + 127) / 128, 128>>>(g, u, v);
    k_predict<<<grid, block>>>(g, u, v, us, vs);
    k_divergence<<<grid, block>>>(g, us, vs, rhs);
    for (int t = 0; t < kJacobi; ++t) {
      k_jacobi<<<grid, block>>>(g, p, rhs, q);
      std::swap(p, q);
    }
    k_correct<<<grid, block>>>(g, u, v, us, vs, p);
  }
  if (cudaDeviceSynchronize() != cudaSuccess) {
    std::cout << "FAIL " << cudaGetErrorString(cudaGetLastError()) << std::endl;
    return 1;
  }
  std::vector<real> gu(m), gv(m), gp(m), hu(m, 0), hv(m, 0), hp(m, 0);
  cudaMemcpy(gu.data(), u, m * sizeof(real), cudaMemcpyDeviceToHost);
  cudaMemcpy(gv.data(), v, m * sizeof(real), cudaMemcpyDeviceToHost);
  cudaMemcpy(gp.data(), p, m * sizeof(real), cudaMemcpyDeviceToHost);
  host(g, hu, hv, hp);
  real err = 0, ke = 0, scale = 1;
  for (size_t i = 0; i < m; ++i) {
    scale = std::max(scale, std::fabs(hp[i]));
    ke += gu[i] * gu[i] + gv[i] * gv[i];
  }
  bool nan = false;
  for (size_t i = 0; i < m; ++i) {
    real e = std::fabs(gu[i] - hu[i]) + std::fabs(gv[i] - hv[i]) + std::fabs(gp[i] - hp[i]) / scale;
    nan |= e != e;
    err = std::max(err, e);
  }
  std::cout << "kinetic energy " << ke * g.h * g.h * 0.5 << "\n";
  if (nan || err > 1e-8 || ke <= 0) {
    std::cout << "FAIL error " << err << std::endl;
    return 1;
  }
  std::cout << "PASS" << std::endl;
  for (real* d : {u, v, us, vs, rhs, p, q})
    cudaFree(d);
  return 0;
}
