// SPDX-License-Identifier: Apache-2.0
// 2D shallow water equations by finite volumes with Rusanov fluxes and adaptive steps.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr double G = 9.81;
constexpr int NSTEP = 8;

struct Cons {
  double h, hu, hv;
};

static void must(cudaError_t e, const char* what) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(e));
    std::exit(3);
  }
}

__host__ __device__ static Cons rusanov(double hl, double ul, double vl, double hr, double ur,
                                        double vr) {
  // ul is the normal momentum, vl the transverse momentum.
  double wl = ul / hl, wr = ur / hr;
  double s = fmax(fabs(wl) + sqrt(G * hl), fabs(wr) + sqrt(G * hr));
  Cons f;
  f.h = 0.5 * (ul + ur) - 0.5 * s * (hr - hl);
  f.hu = 0.5 * (ul * wl + 0.5 * G * hl * hl + ur * wr + 0.5 * G * hr * hr) - 0.5 * s * (ur - ul);
  f.hv = 0.5 * (vl * wl + vr * wr) - 0.5 * s * (vr - vl);
  return f;
}

// Faces in x: (nx + 1) * ny, a wall on either side.
__global__ void flux_x(const double* h, const double* hu, const double* hv, Cons* fx, int nx,
                       int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > nx || j >= ny)
    return;
  int r = j * nx + min(i, nx - 1);
  int l = j * nx + max(i - 1, 0);
  double sl = i == 0 ? -1.0 : 1.0, sr = i == nx ? -1.0 : 1.0;
  fx[j * (nx + 1) + i] = rusanov(h[l], sl * hu[l], hv[l], h[r], sr * hu[r], hv[r]);
}

__global__ void flux_y(const double* h, const double* hu, const double* hv, Cons* fy, int nx,
                       int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j > ny)
    return;
  int up = min(j, ny - 1) * nx + i;
  int lo = max(j - 1, 0) * nx + i;
  double sl = j == 0 ? -1.0 : 1.0, sr = j == ny ? -1.0 : 1.0;
  fy[j * nx + i] = rusanov(h[lo], sl * hv[lo], hu[lo], h[up], sr * hv[up], hu[up]);
}

__global__ void update(double* h, double* hu, double* hv, const Cons* fx, const Cons* fy, int nx,
                       int ny, double lambda) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  int c = j * nx + i;
  const Cons w = fx[j * (nx + 1) + i], e = fx[j * (nx + 1) + i + 1];
  const Cons s = fy[j * nx + i], n = fy[(j + 1) * nx + i];
  h[c] -= lambda * (e.h - w.h + n.h - s.h);
  hu[c] -= lambda * (e.hu - w.hu + n.hv - s.hv);
  hv[c] -= lambda * (e.hv - w.hv + n.hu - s.hu);
}

__global__ void wave_speed(const double* h, const double* hu, const double* hv, int n,
                           unsigned long long* best) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  double v = 0.0;
  if (c < n) {
    double a = sqrt(G * h[c]);
    v = fmax(fabs(hu[c]), fabs(hv[c])) / h[c] + a;
  }
  for (int o = 16; o; o >>= 1)
    v = fmax(v, __shfl_down_sync(0xffffffffu, v, o));
  if ((threadIdx.x & 31) == 0)
    atomicMax(best, (unsigned long long)__double_as_longlong(v)); // positive doubles order as ints
}

static void reference(std::vector<double>& h, std::vector<double>& hu, std::vector<double>& hv,
                      int nx, int ny) {
  std::vector<Cons> fx((nx + 1) * ny), fy(nx * (ny + 1));
  for (int step = 0; step < NSTEP; step++) {
    double s = 0;
    for (int c = 0; c < nx * ny; c++)
      s = std::max(s, std::max(fabs(hu[c]), fabs(hv[c])) / h[c] + sqrt(G * h[c]));
    double lambda = 0.4 / s;
    for (int j = 0; j < ny; j++)
      for (int i = 0; i <= nx; i++) {
        int r = j * nx + std::min(i, nx - 1), l = j * nx + std::max(i - 1, 0);
        double sl = i == 0 ? -1 : 1, sr = i == nx ? -1 : 1;
        fx[j * (nx + 1) + i] = rusanov(h[l], sl * hu[l], hv[l], h[r], sr * hu[r], hv[r]);
      }
    for (int j = 0; j <= ny; j++)
      for (int i = 0; i < nx; i++) {
        int r = std::min(j, ny - 1) * nx + i, l = std::max(j - 1, 0) * nx + i;
        double sl = j == 0 ? -1 : 1, sr = j == ny ? -1 : 1;
        fy[j * nx + i] = rusanov(h[l], sl * hv[l], hu[l], h[r], sr * hv[r], hu[r]);
      }
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        int c = j * nx + i;
        const Cons &w = fx[j * (nx + 1) + i], &e = fx[j * (nx + 1) + i + 1];
        const Cons &so = fy[c], &no = fy[c + nx];
        h[c] -= lambda * (e.h - w.h + no.h - so.h);
        hu[c] -= lambda * (e.hu - w.hu + no.hv - so.hv);
        hv[c] -= lambda * (e.hv - w.hv + no.hu - so.hu);
      }
  }
}

int main(int argc, char* argv[]) {
  const int nx = argc > 1 ? std::atoi(argv[1]) : 128;
  const int ny = nx * 3 / 4;
  const int n = nx * ny;
  std::vector<double> h(n), hu(n, 0.0), hv(n, 0.0);
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      double x = (i + 0.5) / nx - 0.35, y = (j + 0.5) / ny - 0.6;
      h[j * nx + i] =
          1.0 + (x * x + y * y < 0.04 ? 1.5 : 0.0) + 0.05 * ((i * 7 + j * 13) % 11) / 11.0;
      hu[j * nx + i] = 0.1 * h[j * nx + i];
    }
  double *dh, *dhu, *dhv;
  Cons *fx, *fy;
  unsigned long long* dbest;
  must(cudaMalloc(&dh, n * sizeof(double)), "alloc");
  must(cudaMalloc(&dhu, n * sizeof(double)), "alloc");
  must(cudaMalloc(&dhv, n * sizeof(double)), "alloc");
  must(cudaMalloc(&fx, sizeof(Cons) * (nx + 1) * ny), "alloc");
  must(cudaMalloc(&fy, sizeof(Cons) * nx * (ny + 1)), "alloc");
  must(cudaMalloc(&dbest, sizeof *dbest), "alloc");
  must(cudaMemcpy(dh, h.data(), n * sizeof(double), cudaMemcpyHostToDevice), "copy");
  must(cudaMemcpy(dhu, hu.data(), n * sizeof(double), cudaMemcpyHostToDevice), "copy");
  must(cudaMemcpy(dhv, hv.data(), n * sizeof(double), cudaMemcpyHostToDevice), "copy");

  dim3 b(16, 16), gx(nx / 16 + 1, (ny + 15) / 16), gy((nx + 15) / 16, ny / 16 + 1),
      gc((nx + 15) / 16, (ny + 15) / 16);
  double time = 0;
  for (int step = 0; step < NSTEP; step++) {
    must(cudaMemset(dbest, 0, sizeof *dbest), "memset");
    wave_speed<<<(n + 255) / 256, 256>>>(dh, dhu, dhv, n, dbest);
    double s;
    must(cudaMemcpy(&s, dbest, sizeof s, cudaMemcpyDeviceToHost), "speed");
    double lambda = 0.4 / s; // dt / dx
    flux_x<<<gx, b>>>(dh, dhu, dhv, fx, nx, ny);
    flux_y<<<gy, b>>>(dh, dhu, dhv, fy, nx, ny);
    update<<<gc, b>>>(dh, dhu, dhv, fx, fy, nx, ny, lambda);
    time += lambda / nx;
  }
  must(cudaDeviceSynchronize(), "run");
  std::vector<double> gh(n), ghu(n);
  must(cudaMemcpy(gh.data(), dh, n * sizeof(double), cudaMemcpyDeviceToHost), "back");
  must(cudaMemcpy(ghu.data(), dhu, n * sizeof(double), cudaMemcpyDeviceToHost), "back");
  reference(h, hu, hv, nx, ny);
  double err = 0, mass = 0;
  for (int c = 0; c < n; c++) {
    err = std::max(err, std::max(fabs(h[c] - gh[c]), fabs(hu[c] - ghu[c])));
    mass += gh[c];
  }
  std::printf("t = %.5f mass = %.6f\n", time, mass / n);
  if (!(err < 1e-8)) {
    std::printf("FAIL max error %g\n", err);
    return 1;
  }
  std::printf("PASS\n");
  cudaFree(dh), cudaFree(dhu), cudaFree(dhv), cudaFree(fx), cudaFree(fy), cudaFree(dbest);
  return 0;
}
