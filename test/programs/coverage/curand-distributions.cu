// SPDX-License-Identifier: Apache-2.0
// COVERS: curand device, curand: normal, curand: poisson, curand: log-normal
// Means and variances of the normal, log-normal and Poisson distributions. Arguments: draws.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <curand_kernel.h>

enum { NORMAL, NORMAL_DOUBLE, LOG_NORMAL, POISSON_SMALL, POISSON_LARGE, KINDS };

__global__ void draw(int n, double* sums, double* squares) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  curandStateXORWOW_t state;
  curand_init(99, id, 0, &state);
  double s[KINDS] = {}, q[KINDS] = {};
  for (int i = 0; i < n; ++i) {
    double v[KINDS];
    v[NORMAL] = curand_normal(&state);
    v[NORMAL_DOUBLE] = curand_normal_double(&state);
    v[LOG_NORMAL] = log((double)curand_log_normal(&state, 1.0f, 0.5f));
    v[POISSON_SMALL] = curand_poisson(&state, 3.5);
    v[POISSON_LARGE] = curand_poisson(&state, 100.0);
    for (int k = 0; k < KINDS; ++k) {
      s[k] += v[k];
      q[k] += v[k] * v[k];
    }
  }
  for (int k = 0; k < KINDS; ++k) {
    atomicAdd(&sums[k], s[k]);
    atomicAdd(&squares[k], q[k]);
  }
}

int main(int argc, char** argv) {
  int draws = argc > 1 ? atoi(argv[1]) : 20;
  double *sums, host[2 * KINDS];
  if (cudaMalloc(&sums, sizeof host) != cudaSuccess)
    return puts("FAIL"), 1;
  cudaMemset(sums, 0, sizeof host);
  draw<<<4, 64>>>(draws, sums, sums + KINDS);
  cudaError_t e = cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(sums);
  const char* names[KINDS] = {"normal", "normal double", "log-normal", "poisson 3.5",
                              "poisson 100"};
  const double means[KINDS] = {0, 0, 1, 3.5, 100}, variances[KINDS] = {1, 1, 0.25, 3.5, 100};
  double n = draws * 256.0;
  bool ok = e == cudaSuccess;
  for (int k = 0; k < KINDS; ++k) {
    double mean = host[k] / n, variance = host[KINDS + k] / n - mean * mean;
    bool good = fabs(mean - means[k]) < 5 * sqrt(variances[k] / n) &&
                fabs(variance / variances[k] - 1) < 8 * sqrt(2 / n);
    printf("%s: mean %.3f, variance %.3f%s\n", names[k], mean, variance, good ? "" : " (wrong)");
    ok = ok && good;
  }
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
