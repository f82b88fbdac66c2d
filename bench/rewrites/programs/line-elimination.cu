// SPDX-License-Identifier: Apache-2.0
// Forward elimination along each line of a bundle of tridiagonal systems, in place.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void eliminate(const int* start, const double* lower, double* diag,
                          const double* upper, double* rhs, int lines) {
  int l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l >= lines) return;
  for (int k = start[l] + 1; k < start[l + 1]; ++k) {
    double w = lower[k] / diag[k - 1];
    diag[k] -= w * upper[k - 1];
    rhs[k] -= w * rhs[k - 1];
  }
}

double* upload(const std::vector<double>& v) {
  double* p;
  cudaMalloc(&p, v.size() * sizeof(double));
  cudaMemcpy(p, v.data(), v.size() * sizeof(double), cudaMemcpyHostToDevice);
  return p;
}

int main(int argc, char** argv) {
  int lines = argc > 1 ? std::atoi(argv[1]) : 60000;
  std::mt19937 gen(1949);
  std::vector<int> start(lines + 1, 0);
  for (int l = 0; l < lines; ++l) start[l + 1] = start[l] + 20 + gen() % 60;
  size_t m = start[lines];
  std::vector<double> lower(m), diag(m), upper(m), rhs(m);
  for (size_t k = 0; k < m; ++k) {
    lower[k] = -1.0 - (gen() % 10) * 0.01;
    upper[k] = -1.0;
    diag[k] = 4.0 + (gen() % 100) * 0.01;
    rhs[k] = (gen() % 1000) * 0.001;
  }
  int* dStart;
  cudaMalloc(&dStart, start.size() * sizeof(int));
  cudaMemcpy(dStart, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice);
  double *dLower = upload(lower), *dDiag = upload(diag);
  double *dUpper = upload(upper), *dRhs = upload(rhs);
  eliminate<<<(lines + 127) / 128, 128>>>(dStart, dLower, dDiag, dUpper, dRhs, lines);
  cudaMemcpy(rhs.data(), dRhs, m * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(diag.data(), dDiag, m * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (size_t k = 0; k < m; ++k) sum += rhs[k] / diag[k];
  std::printf("sum %.8e\n", sum);
  cudaFree(dStart);
  cudaFree(dLower);
  cudaFree(dDiag);
  cudaFree(dUpper);
  cudaFree(dRhs);
  return 0;
}
