// SPDX-License-Identifier: Apache-2.0
// Tracer advection by split second-order MUSCL with a limiter and CFL time steps.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

typedef float Real;

static void ck(cudaError_t e) {
  if (e != cudaSuccess) {
    std::printf("FAIL %s\n", cudaGetErrorString(e));
    std::exit(1);
  }
}

__host__ __device__ inline Real vel_u(Real x, Real y, Real t) {
  return (y - Real(0.5)) * (Real(1) + Real(0.3) * cosf(t)) + Real(0.1) * sinf(6.2831853f * x);
}
__host__ __device__ inline Real vel_v(Real x, Real y, Real t) {
  return (Real(0.5) - x) * (Real(1) + Real(0.3) * cosf(t)) + Real(0.1) * sinf(6.2831853f * y);
}
__host__ __device__ inline Real limited(Real a, Real b) {
  Real p = a * b;
  return p > 0 ? Real(2) * p / (a + b) : Real(0);
}
// value at the face between cells 1 and 2 of four cells, c is the Courant number of the face
__host__ __device__ inline Real face_value(Real q0, Real q1, Real q2, Real q3, Real c) {
  if (c > 0)
    return q1 + Real(0.5) * (Real(1) - c) * limited(q1 - q0, q2 - q1);
  return q2 - Real(0.5) * (Real(1) + c) * limited(q2 - q1, q3 - q2);
}

__global__ void velocity(Real* u, Real* v, int n, Real t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  Real x = Real(i) / n, y = (j + Real(0.5)) / n;
  u[j * n + i] = vel_u(x, y, t); // left face
  x = (i + Real(0.5)) / n, y = Real(j) / n;
  v[j * n + i] = vel_v(x, y, t); // lower face
}

__global__ void fastest(const Real* u, const Real* v, int count, int* best) {
  __shared__ Real s[128];
  Real m = 0;
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < count; c += gridDim.x * blockDim.x)
    m = fmaxf(m, fmaxf(fabsf(u[c]), fabsf(v[c])));
  s[threadIdx.x] = m;
  __syncthreads();
  for (int k = 64; k; k >>= 1) {
    if (threadIdx.x < k)
      s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + k]);
    __syncthreads();
  }
  if (!threadIdx.x)
    atomicMax(best, __float_as_int(s[0]));
}

__global__ void advect_x(const Real* q, const Real* u, Real* out, int n, Real k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  const Real* r = q + j * n;
  Real a = r[(i + n - 2) % n], b = r[(i + n - 1) % n], c = r[i], d = r[(i + 1) % n],
       e = r[(i + 2) % n];
  Real ul = k * u[j * n + i], ur = k * u[j * n + (i + 1) % n];
  out[j * n + i] =
      c - ur * face_value(b, c, d, e, ur) + ul * face_value(a, b, c, d, ul) + c * (ur - ul);
}

// The same in y; each block works through a strip of columns with a sliding window of values.
__global__ void advect_y(const Real* __restrict__ q, const Real* __restrict__ v,
                         Real* __restrict__ out, int n, Real k, int strip) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j0 = blockIdx.y * strip, j1 = min(n, j0 + strip);
  if (i >= n)
    return;
  Real a = q[((j0 + n - 2) % n) * n + i], b = q[((j0 + n - 1) % n) * n + i], c = q[j0 * n + i],
       d = q[((j0 + 1) % n) * n + i];
  Real vl = k * v[j0 * n + i];
  Real fl = vl * face_value(a, b, c, d, vl);
  for (int j = j0; j < j1; j++) {
    Real e = q[((j + 2) % n) * n + i];
    Real vr = k * v[((j + 1) % n) * n + i];
    Real fr = vr * face_value(b, c, d, e, vr);
    out[j * n + i] = c - fr + fl + c * (vr - vl);
    b = c, c = d, d = e, fl = fr, vl = vr;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 256;
  const int steps = 7, strip = 16;
  const size_t cells = (size_t)n * n;
  std::vector<Real> q(cells), w(cells), g(cells), hu(cells), hv(cells);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      Real x = (i + 0.5f) / n - 0.3f, y = (j + 0.5f) / n - 0.5f, r = std::sqrt(x * x + y * y);
      q[j * n + i] = r < 0.15f ? 1.0f : 0.2f * std::exp(-20 * (x + 0.1f) * (x + 0.1f));
    }
  Real *dq, *dw, *du, *dv;
  int* dbest;
  ck(cudaMalloc(&dq, cells * sizeof(Real)));
  ck(cudaMalloc(&dw, cells * sizeof(Real)));
  ck(cudaMalloc(&du, cells * sizeof(Real)));
  ck(cudaMalloc(&dv, cells * sizeof(Real)));
  ck(cudaMalloc(&dbest, sizeof(int)));
  ck(cudaMemcpy(dq, q.data(), cells * sizeof(Real), cudaMemcpyHostToDevice));
  dim3 b(64, 4), gr((n + 63) / 64, (n + 3) / 4);
  std::vector<Real> dts;
  Real t = 0;
  for (int s = 0; s < steps; s++) {
    velocity<<<gr, b>>>(du, dv, n, t);
    ck(cudaMemset(dbest, 0, sizeof(int)));
    fastest<<<96, 128>>>(du, dv, (int)cells, dbest);
    Real fast;
    ck(cudaMemcpy(&fast, dbest, sizeof fast, cudaMemcpyDeviceToHost));
    Real k = 0.7f / fast; // dt / dx
    dts.push_back(k);
    advect_x<<<gr, b>>>(dq, du, dw, n, k);
    advect_y<<<dim3((n + 127) / 128, (n + strip - 1) / strip), 128>>>(dw, dv, dq, n, k, strip);
    t += k / n;
  }
  ck(cudaDeviceSynchronize());
  ck(cudaMemcpy(g.data(), dq, cells * sizeof(Real), cudaMemcpyDeviceToHost));

  t = 0;
  double worst = 0, mass = 0, dterr = 0;
  for (int s = 0; s < steps; s++) {
    Real fast = 0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        hu[j * n + i] = vel_u(Real(i) / n, (j + 0.5f) / n, t);
        hv[j * n + i] = vel_v((i + 0.5f) / n, Real(j) / n, t);
        fast = std::max(fast, std::max(std::fabs(hu[j * n + i]), std::fabs(hv[j * n + i])));
      }
    Real k = 0.7f / fast;
    dterr = std::max(dterr, (double)std::fabs(k - dts[s]) / k);
    k = dts[s];
    for (int dir = 0; dir < 2; dir++) {
      const std::vector<Real>&src = dir ? w : q, &vel = dir ? hv : hu;
      std::vector<Real>& dst = dir ? q : w;
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
          auto at = [&](const std::vector<Real>& f, int o) {
            return dir ? f[(size_t)((j + o + n) % n) * n + i] : f[(size_t)j * n + (i + o + n) % n];
          };
          Real c = at(src, 0), l = k * at(vel, 0), r = k * at(vel, 1);
          dst[j * n + i] = c - r * face_value(at(src, -1), c, at(src, 1), at(src, 2), r) +
                           l * face_value(at(src, -2), at(src, -1), c, at(src, 1), l) + c * (r - l);
        }
    }
    t += k / n;
  }
  for (size_t c = 0; c < cells; c++) {
    double e = std::fabs((double)g[c] - q[c]);
    if (!(e <= worst))
      worst = e;
    mass += g[c];
  }
  std::printf("mean tracer %.6f\n", mass / cells);
  if (!(worst < 2e-3) || !(dterr < 1e-4)) {
    std::printf("FAIL error %g step %g\n", worst, dterr);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
