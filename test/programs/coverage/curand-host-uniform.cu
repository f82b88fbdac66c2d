// SPDX-License-Identifier: Apache-2.0
// COVERS: curand host, curand: uniform
// FLAGS: -lcurand
// Numbers of the host API into device memory: in range, repeatable by seed, mean as it should be.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <curand.h>

#define CUDA_CALL(x)                                                                               \
  do {                                                                                             \
    if ((x) != cudaSuccess) {                                                                      \
      printf("Error at %s:%d\nFAIL\n", __FILE__, __LINE__);                                        \
      return EXIT_FAILURE;                                                                         \
    }                                                                                              \
  } while (0)
#define CURAND_CALL(x)                                                                             \
  do {                                                                                             \
    if ((x) != CURAND_STATUS_SUCCESS) {                                                            \
      printf("Error at %s:%d\nFAIL\n", __FILE__, __LINE__);                                        \
      return EXIT_FAILURE;                                                                         \
    }                                                                                              \
  } while (0)

__global__ void outside(const float* v, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && !(v[i] > 0.0f && v[i] <= 1.0f))
    atomicAdd(count, 1);
}

int main(int argc, char* argv[]) {
  size_t n = argc > 1 ? (size_t)atoi(argv[1]) : 10000;
  float* data;
  int *count, out = -1;
  CUDA_CALL(cudaMalloc((void**)&data, n * sizeof(float)));
  CUDA_CALL(cudaMalloc((void**)&count, sizeof(int)));
  CUDA_CALL(cudaMemset(count, 0, sizeof(int)));
  std::vector<float> a(n), b(n), c(n);
  std::vector<float>* targets[3] = {&a, &b, &c};
  for (int round = 0; round < 3; ++round) {
    curandGenerator_t gen;
    CURAND_CALL(curandCreateGenerator(&gen, round < 2 ? CURAND_RNG_PSEUDO_DEFAULT
                                                      : CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(gen, 1234ULL));
    CURAND_CALL(curandGenerateUniform(gen, data, n));
    outside<<<(unsigned)(n + 255) / 256, 256>>>(data, (int)n, count);
    CUDA_CALL(cudaMemcpy(targets[round]->data(), data, n * sizeof(float), cudaMemcpyDeviceToHost));
    CURAND_CALL(curandDestroyGenerator(gen));
  }
  CUDA_CALL(cudaMemcpy(&out, count, sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaFree(data));
  CUDA_CALL(cudaFree(count));
  double mean = 0;
  for (float v : a)
    mean += v / n;
  int version = 0;
  CURAND_CALL(curandGetVersion(&version));
  printf("mean %.3f, %d outside, same seed %s\n", mean, out,
         a == b ? "same numbers" : "other numbers");
  bool ok = out == 0 && a == b && a != c && fabs(mean - 0.5) < 5 * 0.2887 / sqrt((double)n) &&
            version > 0;
  puts(ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
