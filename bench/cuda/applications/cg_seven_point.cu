// SPDX-License-Identifier: Apache-2.0
// Conjugate gradient for a matrix-free 7-point operator with two-stage dot products.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static inline void check(cudaError_t e) {
  if (e != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(e));
}

template <class T> class DeviceVector {
public:
  explicit DeviceVector(size_t n) : n_(n) { check(cudaMalloc(&p_, n * sizeof(T))); }
  ~DeviceVector() { cudaFree(p_); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;
  T* data() { return p_; }
  void upload(const std::vector<T>& v) {
    check(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() {
    std::vector<T> v(n_);
    check(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

private:
  T* p_ = nullptr;
  size_t n_;
};

constexpr int kThreads = 256;
constexpr int kPartials = 512;
constexpr int kIterations = 8;

__global__ void apply_operator(const double* __restrict__ diag, const double* __restrict__ x,
                               double* __restrict__ y, int nx, int ny, int nz) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= nx * ny * nz)
    return;
  int i = idx % nx;
  int j = (idx / nx) % ny;
  int k = idx / (nx * ny);
  double s = diag[idx] * x[idx];
  if (i > 0)
    s -= x[idx - 1];
  if (i < nx - 1)
    s -= x[idx + 1];
  if (j > 0)
    s -= x[idx - nx];
  if (j < ny - 1)
    s -= x[idx + nx];
  if (k > 0)
    s -= x[idx - nx * ny];
  if (k < nz - 1)
    s -= x[idx + nx * ny];
  y[idx] = s;
}

__device__ double block_sum(double v) {
  __shared__ double warp[kThreads / 32];
  for (int o = 16; o; o >>= 1)
    v += __shfl_down_sync(~0u, v, o);
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0)
    warp[w] = v;
  __syncthreads();
  v = threadIdx.x < kThreads / 32 ? warp[lane] : 0.0;
  if (w == 0)
    for (int o = kThreads / 64; o; o >>= 1)
      v += __shfl_down_sync(~0u, v, o);
  return v;
}

__global__ void dot_partial(const double* a, const double* b, double* partial, int n) {
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    s += a[i] * b[i];
  s = block_sum(s);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = s;
}

__global__ void dot_final(const double* partial, double* out) {
  double s = 0;
  for (int i = threadIdx.x; i < kPartials; i += blockDim.x)
    s += partial[i];
  s = block_sum(s);
  if (threadIdx.x == 0)
    *out = s;
}

// scalars[0] = r.r, scalars[1] = p.Ap, scalars[2] = new r.r
__global__ void update_xr(double* x, double* r, const double* p, const double* ap,
                          const double* scalars, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double alpha = scalars[0] / scalars[1];
    x[i] += alpha * p[i];
    r[i] -= alpha * ap[i];
  }
}

__global__ void update_p(double* p, const double* r, const double* scalars, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = r[i] + scalars[2] / scalars[0] * p[i];
}

static int solve(int n) {
  const int nx = n, ny = n, nz = n / 2 + 1;
  const int total = nx * ny * nz;
  std::vector<double> diag(total), b(total);
  unsigned s = 99u;
  for (int i = 0; i < total; i++) {
    s = s * 1103515245u + 12345u;
    diag[i] = 6.05 + 0.5 * ((s >> 16) & 1023) / 1024.0;
    s = s * 1103515245u + 12345u;
    b[i] = ((s >> 16) & 4095) / 2048.0 - 1.0;
  }
  DeviceVector<double> d_diag(total), x(total), r(total), p(total), ap(total), partial(kPartials),
      scalars(3);
  d_diag.upload(diag);
  r.upload(b);
  p.upload(b);
  check(cudaMemset(x.data(), 0, total * sizeof(double)));
  const int blocks = (total + kThreads - 1) / kThreads;
  auto dot = [&](double* u, double* v, int slot) {
    dot_partial<<<kPartials, kThreads>>>(u, v, partial.data(), total);
    dot_final<<<1, kThreads>>>(partial.data(), scalars.data() + slot);
  };
  dot(r.data(), r.data(), 0);
  double first;
  check(cudaMemcpy(&first, scalars.data(), sizeof first, cudaMemcpyDeviceToHost));
  double rr = first;
  int it = 0;
  for (; it < kIterations && rr > 1e-24 * first; ++it) {
    apply_operator<<<blocks, kThreads>>>(d_diag.data(), p.data(), ap.data(), nx, ny, nz);
    dot(p.data(), ap.data(), 1);
    update_xr<<<blocks, kThreads>>>(x.data(), r.data(), p.data(), ap.data(), scalars.data(), total);
    if (it == kIterations - 1)
      break;
    // The new norm is needed for beta and for the stopping test.
    dot(r.data(), r.data(), 2);
    update_p<<<blocks, kThreads>>>(p.data(), r.data(), scalars.data(), total);
    check(cudaMemcpy(scalars.data(), scalars.data() + 2, sizeof(double), cudaMemcpyDeviceToDevice));
    check(cudaMemcpy(&rr, scalars.data(), sizeof rr, cudaMemcpyDeviceToHost));
  }
  check(cudaDeviceSynchronize());
  auto hx = x.download();
  auto hr = r.download();
  double worst = 0, norm = 0;
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        int c = (k * ny + j) * nx + i;
        double v = diag[c] * hx[c];
        v -= (i ? hx[c - 1] : 0) + (i < nx - 1 ? hx[c + 1] : 0) + (j ? hx[c - nx] : 0) +
             (j < ny - 1 ? hx[c + nx] : 0) + (k ? hx[c - nx * ny] : 0) +
             (k < nz - 1 ? hx[c + nx * ny] : 0);
        double e = fabs(b[c] - v - hr[c]);
        if (!(e <= worst))
          worst = e;
        norm += hr[c] * hr[c];
      }
  printf("after %d iterations |r|/|b| = %g\n", it + 1, sqrt(norm / first));
  if (!(worst < 1e-9) || !(norm < 0.1 * first)) {
    printf("FAIL residual mismatch %g, reduction %g\n", worst, norm / first);
    return 1;
  }
  printf("PASS\n");
  return 0;
}

int main(int argc, char** argv) {
  try {
    return solve(argc > 1 ? atoi(argv[1]) : 40);
  } catch (const std::exception& e) {
    printf("FAIL %s\n", e.what());
    return 1;
  }
}
