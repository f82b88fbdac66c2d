// SPDX-License-Identifier: Apache-2.0
// Solves Kepler's equation for orbits of every eccentricity by damped iteration.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void eccentricAnomaly(const double* meanAnomaly, const double* eccentricity,
                                 double* anomaly, int* iterations, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m = meanAnomaly[i];
  double e = eccentricity[i];
  double x = m;
  double change = 1.0;
  int k = 0;
  while (fabs(change) > 1e-10 && k < 1000) {
    double next = m + e * sin(x);
    change = next - x;
    x = next;
    ++k;
  }
  anomaly[i] = x;
  iterations[i] = k;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 300000;
  std::mt19937 gen(1609);
  std::uniform_real_distribution<double> u(0.0, 1.0);
  std::vector<double> m(n), e(n), x(n);
  std::vector<int> k(n);
  for (int i = 0; i < n; ++i) {
    m[i] = 6.283185307179586 * u(gen);
    e[i] = 0.97 * u(gen);
  }
  double *dM, *dE, *dX;
  int* dK;
  cudaMalloc(&dM, n * sizeof(double));
  cudaMalloc(&dE, n * sizeof(double));
  cudaMalloc(&dX, n * sizeof(double));
  cudaMalloc(&dK, n * sizeof(int));
  cudaMemcpy(dM, m.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(dE, e.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  eccentricAnomaly<<<(n + 127) / 128, 128>>>(dM, dE, dX, dK, n);
  cudaMemcpy(x.data(), dX, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(k.data(), dK, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  long long iterations = 0;
  int most = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    iterations += k[i];
    most = k[i] > most ? k[i] : most;
  }
  std::printf("mean anomaly %.6f, mean iterations %.2f, most %d\n", sum / n,
              double(iterations) / n, most);
  cudaFree(dM);
  cudaFree(dE);
  cudaFree(dX);
  cudaFree(dK);
  return 0;
}
