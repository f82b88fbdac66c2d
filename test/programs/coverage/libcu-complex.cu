// SPDX-License-Identifier: Apache-2.0
// COVERS: cuda::std::complex
// Complex numbers of libcu++ in kernels: arithmetic, functions, and the host's for comparison.
#include <cmath>
#include <complex>
#include <cstdio>

#include <cuda/std/complex>
#include <cuda_runtime.h>

using Complex = cuda::std::complex<double>;

__global__ void compute(Complex* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const Complex z(0.25 + 0.1 * i, 1.0 - 0.05 * i), w(2.0, -0.5);
  out[6 * i] = z * w;
  out[6 * i + 1] = z / w;
  out[6 * i + 2] = cuda::std::polar(cuda::std::abs(z), cuda::std::arg(z));
  out[6 * i + 3] = cuda::std::exp(z);
  out[6 * i + 4] = cuda::std::sqrt(z) - cuda::std::conj(z);
  out[6 * i + 5] = cuda::std::log(z) + 2.0 * z;
}

int main() {
  const int n = 40;
  Complex* out;
  if (cudaMallocManaged(&out, 6 * n * sizeof(Complex)) != cudaSuccess)
    return 1;
  compute<<<2, 32>>>(out, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const std::complex<double> z(0.25 + 0.1 * i, 1.0 - 0.05 * i), w(2.0, -0.5);
    const std::complex<double> want[6] = {
        z * w, z / w, z, std::exp(z), std::sqrt(z) - std::conj(z), std::log(z) + 2.0 * z};
    for (int k = 0; k < 6; ++k) {
      const Complex& got = out[6 * i + k];
      worst = std::fmax(worst, std::abs(want[k] - std::complex<double>(got.real(), got.imag())));
    }
  }
  printf("largest difference %.2e\n%s\n", worst, worst < 1e-13 ? "PASS" : "FAIL");
  cudaFree(out);
  return worst < 1e-13 ? 0 : 1;
}
