// SPDX-License-Identifier: Apache-2.0
// Least squares by QR with Givens rotations for a batch of tall matrices, one warp per matrix.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace qr {

constexpr int ROWS = 28;
constexpr int COLS = 12;
constexpr int ROT = COLS * ROWS - COLS * (COLS + 1) / 2; // rotations per matrix

struct Rot {
  double c, s;
};

// rotations of a matrix come column by column, from the last row upwards
__device__ __forceinline__ Rot make(double a, double b) {
  Rot r;
  if (b == 0.0) {
    r.c = 1.0;
    r.s = 0.0;
  } else if (fabs(b) > fabs(a)) {
    double t = a / b;
    r.s = 1.0 / sqrt(1.0 + t * t);
    r.c = r.s * t;
  } else {
    double t = b / a;
    r.c = 1.0 / sqrt(1.0 + t * t);
    r.s = r.c * t;
  }
  return r;
}

__global__ void factor(double* a, Rot* rot, int count) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (w >= count)
    return;
  double* m = a + (size_t)w * ROWS * COLS;
  Rot* out = rot + (size_t)w * ROT;
  int k = 0;
  for (int c = 0; c < COLS; c++)
    for (int r = ROWS - 1; r > c; r--, k++) {
      Rot g = make(m[(r - 1) * COLS + c], m[r * COLS + c]);
      __syncwarp();
      if (lane >= c && lane < COLS) {
        double u = m[(r - 1) * COLS + lane], v = m[r * COLS + lane];
        m[(r - 1) * COLS + lane] = g.c * u + g.s * v;
        m[r * COLS + lane] = lane == c ? 0.0 : g.c * v - g.s * u;
      }
      if (lane == 0)
        out[k] = g;
      __syncwarp();
    }
}

// one thread per system: y = Q^T b in place
__global__ void apply(const Rot* rot, double* b, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  const Rot* g = rot + (size_t)t * ROT;
  double* y = b + (size_t)t * ROWS;
  for (int c = 0; c < COLS; c++)
    for (int r = ROWS - 1; r > c; r--, g++) {
      double u = y[r - 1], v = y[r];
      y[r - 1] = g->c * u + g->s * v;
      y[r] = g->c * v - g->s * u;
    }
}

__global__ void back_substitute(const double* a, const double* b, double* x, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  const double* m = a + (size_t)t * ROWS * COLS;
  for (int i = COLS - 1; i >= 0; i--) {
    double s = b[(size_t)t * ROWS + i];
    for (int j = i + 1; j < COLS; j++)
      s -= m[i * COLS + j] * x[(size_t)j * count + t];
    x[(size_t)i * count + t] = s / m[i * COLS + i];
  }
}

__global__ void residual_norm(const double* b, double* norm, int count) {
  int t = blockIdx.x;
  double v = 0;
  if (threadIdx.x < ROWS - COLS)
    v = b[(size_t)t * ROWS + COLS + threadIdx.x];
  v *= v;
  for (int o = 16; o; o >>= 1)
    v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x == 0)
    norm[t] = sqrt(v);
}

} // namespace qr

#define RUN(x)                                                                                     \
  {                                                                                                \
    auto e = (x);                                                                                  \
    if (e != cudaSuccess) {                                                                        \
      printf("FAIL %s\n", cudaGetErrorString(e));                                                  \
      return 1;                                                                                    \
    }                                                                                              \
  }

int main(int argc, char** argv) {
  using namespace qr;
  const int count = argc > 1 ? atoi(argv[1]) : 500;
  const int passes = 2;
  std::vector<double> a((size_t)count * ROWS * COLS), b((size_t)count * ROWS);
  unsigned long long s = 0x9E3779B97F4A7C15ull;
  auto rnd = [&s] {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(s >> 33) / 2147483648.0 - 0.5;
  };
  for (auto& v : a)
    v = rnd();
  for (auto& v : b)
    v = rnd();
  double *da, *db, *dx, *dn;
  Rot* dr;
  RUN(cudaMalloc(&da, a.size() * sizeof(double)));
  RUN(cudaMalloc(&db, b.size() * sizeof(double)));
  RUN(cudaMalloc(&dx, (size_t)count * COLS * sizeof(double)));
  RUN(cudaMalloc(&dn, count * sizeof(double)));
  RUN(cudaMalloc(&dr, (size_t)count * ROT * sizeof(Rot)));
  std::vector<double> x((size_t)count * COLS), nrm(count);
  double worst = 0, rworst = 0;
  for (int p = 0; p < passes; p++) {
    // the second pass solves for another right-hand side and scaled matrices
    if (p)
      for (auto& v : b)
        v = 2 * v + 0.1;
    RUN(cudaMemcpy(da, a.data(), a.size() * sizeof(double), cudaMemcpyHostToDevice));
    RUN(cudaMemcpy(db, b.data(), b.size() * sizeof(double), cudaMemcpyHostToDevice));
    factor<<<(count + 3) / 4, 128>>>(da, dr, count);
    apply<<<(count + 127) / 128, 128>>>(dr, db, count);
    back_substitute<<<(count + 127) / 128, 128>>>(da, db, dx, count);
    residual_norm<<<count, 32>>>(db, dn, count);
    RUN(cudaDeviceSynchronize());
    RUN(cudaMemcpy(x.data(), dx, x.size() * sizeof(double), cudaMemcpyDeviceToHost));
    RUN(cudaMemcpy(nrm.data(), dn, nrm.size() * sizeof(double), cudaMemcpyDeviceToHost));
    // normal equations: A^T (b - A x) = 0, and the norm of the residual
    for (int t = 0; t < count; t++) {
      double r[ROWS], n2 = 0, big = 1;
      for (int i = 0; i < ROWS; i++) {
        r[i] = b[(size_t)t * ROWS + i];
        for (int j = 0; j < COLS; j++)
          r[i] -= a[((size_t)t * ROWS + i) * COLS + j] * x[(size_t)j * count + t];
        n2 += r[i] * r[i];
      }
      for (int j = 0; j < COLS; j++) {
        big = std::fmax(big, std::fabs(x[(size_t)j * count + t]));
        double g = 0;
        for (int i = 0; i < ROWS; i++)
          g += a[((size_t)t * ROWS + i) * COLS + j] * r[i];
        g = std::fabs(g) / big;
        if (!(g <= worst))
          worst = g;
      }
      double d = std::fabs(std::sqrt(n2) - nrm[t]) / big;
      if (!(d <= rworst))
        rworst = d;
    }
  }
  printf("gradient %.2e norm %.2e\n", worst, rworst);
  if (!(worst < 1e-10) || !(rworst < 1e-10)) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
