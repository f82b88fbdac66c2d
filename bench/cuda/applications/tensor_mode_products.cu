// SPDX-License-Identifier: Apache-2.0
// Tucker compression of a tensor by mode products, and Kronecker products.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void expect(cudaError_t e, const char* file, int line) {
  if (e == cudaSuccess)
    return;
  std::printf("FAIL %s:%d %s\n", file, line, cudaGetErrorString(e));
  std::exit(1);
}
#define EXPECT(e) expect((e), __FILE__, __LINE__)

struct Shape {
  int i, j, k; // k is the fastest
  __host__ __device__ size_t size() const { return (size_t)i * j * k; }
  __host__ __device__ size_t at(int a, int b, int c) const { return ((size_t)a * j + b) * k + c; }
};

// Y(r, j, k) = sum_i M(r, i) X(i, j, k)
__global__ void mode_i(const double* x, Shape s, const double* m, int r, double* y) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int b = blockIdx.y * blockDim.y + threadIdx.y;
  int row = blockIdx.z;
  if (c >= s.k || b >= s.j)
    return;
  double sum = 0;
  for (int a = 0; a < s.i; ++a)
    sum += m[row * s.i + a] * x[s.at(a, b, c)];
  Shape o{r, s.j, s.k};
  y[o.at(row, b, c)] = sum;
}

// Y(i, r, k) = sum_j M(r, j) X(i, j, k)
__global__ void mode_j(const double* x, Shape s, const double* m, int r, double* y) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int a = blockIdx.z;
  if (c >= s.k || row >= r)
    return;
  double sum = 0;
  for (int b = 0; b < s.j; ++b)
    sum += m[row * s.j + b] * x[s.at(a, b, c)];
  Shape o{s.i, r, s.k};
  y[o.at(a, row, c)] = sum;
}

// Y(i, j, r) = sum_k M(r, k) X(i, j, k): a block keeps one fibre in shared memory
__global__ void mode_k(const double* x, Shape s, const double* m, int r, double* y) {
  extern __shared__ double fibre[];
  int b = blockIdx.x, a = blockIdx.y;
  for (int c = threadIdx.x; c < s.k; c += blockDim.x)
    fibre[c] = x[s.at(a, b, c)];
  __syncthreads();
  Shape o{s.i, s.j, r};
  for (int row = threadIdx.x; row < r; row += blockDim.x) {
    double sum = 0;
    for (int c = 0; c < s.k; ++c)
      sum += m[row * s.k + c] * fibre[c];
    y[o.at(a, b, row)] = sum;
  }
}

// y = (A kron B) x for one vector per block.y; every thread forms one entry from all of them
__global__ void kron_apply(const double* A, const double* B, int p, int q, const double* x,
                           double* y) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= p * q)
    return;
  const double* v = x + (size_t)blockIdx.y * p * q;
  int r = t / q, c = t % q;
  double sum = 0;
  for (int a = 0; a < p; ++a) {
    double inner = 0;
    for (int b = 0; b < q; ++b)
      inner += B[c * q + b] * v[a * q + b];
    sum += A[r * p + a] * inner;
  }
  y[(size_t)blockIdx.y * p * q + t] = sum;
}

// orthonormal rows of the discrete cosine transform
std::vector<double> cosines(int r, int n) {
  std::vector<double> m((size_t)r * n);
  for (int a = 0; a < r; ++a)
    for (int b = 0; b < n; ++b)
      m[a * n + b] = std::sqrt((a ? 2.0 : 1.0) / n) * std::cos(M_PI * a * (b + 0.5) / n);
  return m;
}
std::vector<double> transposed(const std::vector<double>& m, int r, int n) {
  std::vector<double> t(m.size());
  for (int a = 0; a < r; ++a)
    for (int b = 0; b < n; ++b)
      t[b * r + a] = m[a * n + b];
  return t;
}
double* upload(const std::vector<double>& v) {
  double* d;
  EXPECT(cudaMalloc(&d, v.size() * sizeof(double)));
  EXPECT(cudaMemcpy(d, v.data(), v.size() * sizeof(double), cudaMemcpyHostToDevice));
  return d;
}

} // namespace

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 32;
  Shape full{n, n + 4, n - 3};
  int r = n / 3 + 1;
  // A tensor that lies in the span of the first r cosines of each mode, so that the reconstruction
  // is exact.
  auto mi = cosines(r, full.i), mj = cosines(r, full.j), mk = cosines(r, full.k);
  std::vector<double> x(full.size());
  for (int a = 0; a < full.i; ++a)
    for (int b = 0; b < full.j; ++b)
      for (int c = 0; c < full.k; ++c)
        x[full.at(a, b, c)] = 3 * mi[1 * full.i + a] * mj[2 * full.j + b] * mk[c] +
                              2 * mi[(r - 1) * full.i + a] * mj[b] * mk[(r - 1) * full.k + c] -
                              mi[2 * full.i + a] * mj[(r - 1) * full.j + b] * mk[3 * full.k + c];
  double *dx = upload(x), *dmi = upload(mi), *dmj = upload(mj), *dmk = upload(mk);
  double *dti = upload(transposed(mi, r, full.i)), *dtj = upload(transposed(mj, r, full.j)),
         *dtk = upload(transposed(mk, r, full.k));
  double *t1, *t2;
  EXPECT(cudaMalloc(&t1, full.size() * sizeof(double)));
  EXPECT(cudaMalloc(&t2, full.size() * sizeof(double)));
  dim3 b2(32, 4);
  auto up = [](int v, int d) { return (unsigned)((v + d - 1) / d); };

  // compress
  mode_k<<<dim3(full.j, full.i), 64, full.k * sizeof(double)>>>(dx, full, dmk, r, t1);
  Shape s1{full.i, full.j, r};
  mode_j<<<dim3(up(r, 32), up(r, 4), full.i), b2>>>(t1, s1, dmj, r, t2);
  Shape s2{full.i, r, r};
  mode_i<<<dim3(up(r, 32), up(r, 4), r), b2>>>(t2, s2, dmi, r, t1);
  Shape core{r, r, r};
  std::vector<double> hc(core.size());
  EXPECT(cudaMemcpy(hc.data(), t1, hc.size() * sizeof(double), cudaMemcpyDeviceToHost));
  // expand
  mode_i<<<dim3(up(r, 32), up(r, 4), full.i), b2>>>(t1, core, dti, full.i, t2);
  Shape e1{full.i, r, r};
  mode_j<<<dim3(up(r, 32), up(full.j, 4), full.i), b2>>>(t2, e1, dtj, full.j, t1);
  Shape e2{full.i, full.j, r};
  mode_k<<<dim3(full.j, full.i), 64, r * sizeof(double)>>>(t1, e2, dtk, full.k, t2);
  // Kronecker: square cosine matrices of order q
  int q = n / 2, vectors = 6;
  auto full_q = cosines(q, q);
  std::vector<double> v((size_t)q * q * vectors);
  for (size_t e = 0; e < v.size(); ++e)
    v[e] = (double)((e * 2654435761u >> 7) % 1000) / 1000.0;
  double *dq = upload(full_q), *dqt = upload(transposed(full_q, q, q)), *dv = upload(v),
         *dw = upload(v);
  kron_apply<<<dim3(up(q * q, 128), vectors), 128>>>(dq, dq, q, q, dv, dw);
  kron_apply<<<dim3(up(q * q, 128), vectors), 128>>>(dqt, dqt, q, q, dw, dv);
  EXPECT(cudaGetLastError());
  EXPECT(cudaDeviceSynchronize());

  std::vector<double> back(full.size()), w(v.size());
  EXPECT(cudaMemcpy(back.data(), t2, back.size() * sizeof(double), cudaMemcpyDeviceToHost));
  EXPECT(cudaMemcpy(w.data(), dv, w.size() * sizeof(double), cudaMemcpyDeviceToHost));
  double worst = 0;
  auto note = [&](double e) {
    e = std::fabs(e);
    if (!(e <= worst))
      worst = e;
  };
  for (size_t e = 0; e < x.size(); ++e)
    note(x[e] - back[e]);
  for (size_t e = 0; e < v.size(); ++e)
    note(v[e] - w[e]); // orthogonal there and back
  // the core has three entries
  for (int a = 0; a < r; ++a)
    for (int b = 0; b < r; ++b)
      for (int c = 0; c < r; ++c) {
        double want = 0;
        if (a == 1 && b == 2 && c == 0)
          want += 3;
        if (a == r - 1 && b == 0 && c == r - 1)
          want += 2;
        if (a == 2 && b == r - 1 && c == 3)
          want -= 1;
        note(hc[core.at(a, b, c)] - want);
      }
  if (!(worst < 1e-9)) {
    std::printf("FAIL %g\n", worst);
    return 1;
  }
  std::printf("PASS %g\n", worst);
  return 0;
}
