// SPDX-License-Identifier: Apache-2.0
// COVERS: templates, operators, classes
// An own complex class with operators, a conjugate and friends: a Mandelbrot set and a DFT.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T> class Complex {
public:
  __host__ __device__ constexpr Complex(T re = T(), T im = T()) : re_(re), im_(im) {}
  __host__ __device__ T real() const { return re_; }
  __host__ __device__ T imag() const { return im_; }
  __host__ __device__ Complex& operator+=(const Complex& o) {
    re_ += o.re_;
    im_ += o.im_;
    return *this;
  }
  __host__ __device__ friend Complex operator+(Complex a, const Complex& b) { return a += b; }
  __host__ __device__ friend Complex operator*(const Complex& a, const Complex& b) {
    return Complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
  }
  __host__ __device__ T norm() const { return re_ * re_ + im_ * im_; }
  __host__ __device__ Complex operator~() const { return Complex(re_, -im_); }

private:
  T re_, im_;
};

// In whole numbers of 1/1024, so that host and device count alike.
__host__ __device__ int escape(Complex<long long> c, int limit) {
  long long x = 0, y = 0;
  for (int i = 0; i < limit; ++i) {
    long long nx = (x * x - y * y) / 1024 + c.real(), ny = 2 * x * y / 1024 + c.imag();
    x = nx;
    y = ny;
    if (Complex<long long>(x, y).norm() > 4LL * 1024 * 1024)
      return i;
  }
  return limit;
}

__global__ void mandelbrot(int* out, int w, int h, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < w)
    out[y * w + x] = escape(Complex<long long>(x * 3072 / w - 2048, y * 2048 / h - 1024), limit);
}

__global__ void dft(const Complex<double>* in, Complex<double>* out, int n, double sign) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n)
    return;
  Complex<double> sum;
  for (int i = 0; i < n; ++i) {
    double s, c;
    sincospi(sign * 2.0 * (i * k % n) / n, &s, &c);
    sum += in[i] * Complex<double>(c, s);
  }
  out[k] = sum;
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 96, h = 40, limit = 50, n = 64;
  int* counts;
  Complex<double>*a, *b, *c;
  if (cudaMallocManaged(&counts, w * h * sizeof(int)) || cudaMallocManaged(&a, n * sizeof(*a)) ||
      cudaMallocManaged(&b, n * sizeof(*a)) || cudaMallocManaged(&c, n * sizeof(*a)))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i)
    a[i] = Complex<double>(i % 5, i % 3 - 1.0);
  mandelbrot<<<dim3((w + 63) / 64, h), 64>>>(counts, w, h, limit);
  dft<<<1, n>>>(a, b, n, -1);
  dft<<<1, n>>>(b, c, n, 1);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return puts("FAIL"), 1;
  int bad = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      bad += counts[y * w + x] !=
             escape(Complex<long long>(x * 3072 / w - 2048, y * 2048 / h - 1024), limit);
  double energy = 0, spectrum = 0;
  for (int i = 0; i < n; ++i) {
    bad +=
        fabs(c[i].real() / n - a[i].real()) > 1e-10 || fabs(c[i].imag() / n - a[i].imag()) > 1e-10;
    energy += a[i].norm();
    spectrum += (b[i] * ~b[i]).real() / n;
  }
  bad += fabs(energy - spectrum) > 1e-9 * energy;
  cudaFree(counts), cudaFree(a), cudaFree(b), cudaFree(c);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
