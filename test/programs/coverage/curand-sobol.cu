// SPDX-License-Identifier: Apache-2.0
// COVERS: curand host, curand device, curand: Sobol
// FLAGS: -lcurand
// Sobol numbers by the host API and in a kernel: the same ones, evenly spread over the bins, and an
// integral that they find better than chance would.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

#define N 1024
#define DIMENSIONS 2

#define NEED(x)                                                                                    \
  do {                                                                                             \
    if ((int)(x) != 0) {                                                                           \
      printf("%s failed\nFAIL\n", #x);                                                             \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void draw(curandDirectionVectors32_t* vectors, unsigned* out) {
  int dimension = blockIdx.x, each = N / blockDim.x;
  curandStateSobol32_t state;
  curand_init(vectors[dimension], threadIdx.x * each, &state);
  for (int i = 0; i < each; ++i)
    out[dimension * N + threadIdx.x * each + i] = curand(&state);
}

int main() {
  curandGenerator_t gen;
  unsigned *device, *host;
  NEED(cudaMalloc(&host, DIMENSIONS * N * sizeof(unsigned)));
  NEED(cudaMalloc(&device, DIMENSIONS * N * sizeof(unsigned)));
  NEED(curandCreateGenerator(&gen, CURAND_RNG_QUASI_SOBOL32));
  NEED(curandSetQuasiRandomGeneratorDimensions(gen, DIMENSIONS));
  NEED(curandGenerate(gen, host, DIMENSIONS * N));
  NEED(curandDestroyGenerator(gen));
  curandDirectionVectors32_t *vectors, *copy;
  NEED(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  NEED(cudaMalloc(&copy, DIMENSIONS * sizeof(curandDirectionVectors32_t)));
  NEED(cudaMemcpy(copy, vectors, DIMENSIONS * sizeof(curandDirectionVectors32_t),
                  cudaMemcpyHostToDevice));
  draw<<<DIMENSIONS, 64>>>(copy, device);
  NEED(cudaGetLastError());
  std::vector<unsigned> a(DIMENSIONS * N), b(DIMENSIONS * N);
  NEED(cudaMemcpy(a.data(), host, a.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  NEED(cudaMemcpy(b.data(), device, b.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  bool ok = a == b;
  printf("host and device %s\n", ok ? "agree" : "differ");
  for (int d = 0; d < DIMENSIONS; ++d) {
    int bins[64] = {};
    for (int i = 0; i < N; ++i)
      ++bins[a[d * N + i] >> 26];
    for (int count : bins)
      ok = ok && abs(count - N / 64) <= 1;
  }
  double inside = 0;
  for (int i = 0; i < N; ++i) {
    double x = a[i] / 4294967296.0, y = a[N + i] / 4294967296.0;
    inside += x * x + y * y <= 1;
  }
  ok = ok && fabs(4 * inside / N - M_PI) < 0.02;
  NEED(cudaFree(host));
  NEED(cudaFree(device));
  NEED(cudaFree(copy));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
