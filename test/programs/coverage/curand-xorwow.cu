// SPDX-License-Identifier: Apache-2.0
// COVERS: curand device, curand: XORWOW, curand: uniform
// Monte Carlo pi with one state for each thread; the same seed gives the same numbers, an offset
// skips them, and another sequence has others. Arguments: draws.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <curand_kernel.h>

#define THREADS 128
#define BLOCKS 4
#define CUDA_CALL(x)                                                                               \
  do {                                                                                             \
    if ((x) != cudaSuccess) {                                                                      \
      printf("Error at %s:%d\nFAIL\n", __FILE__, __LINE__);                                        \
      return EXIT_FAILURE;                                                                         \
    }                                                                                              \
  } while (0)

__global__ void setup_kernel(curandState* state, unsigned long long seed) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curand_init(seed, id, 0, &state[id]);
}

__global__ void count(curandState* state, int n, unsigned* inside) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curandState local = state[id];
  unsigned hits = 0;
  for (int i = 0; i < n; ++i) {
    float x = curand_uniform(&local), y = curand_uniform(&local);
    hits += x * x + y * y <= 1.0f;
  }
  state[id] = local;
  atomicAdd(inside, hits);
}

__global__ void properties(unsigned* out) {
  curandState a, b, c;
  curand_init(1234ULL, 5, 0, &a);
  curand_init(1234ULL, 5, 10, &b);
  curand_init(1234ULL, 6, 0, &c);
  unsigned equal = 0, low = 0;
  unsigned other = curand(&c);
  for (int i = 0; i < 10; ++i)
    equal += curand(&a) == other;
  out[0] = curand(&a) == curand(&b);
  skipahead(100ULL, &a);
  for (int i = 0; i < 100; ++i)
    curand(&b);
  out[1] = curand(&a) == curand(&b);
  out[2] = equal == 0;
  for (int i = 0; i < 1000; ++i) {
    float u = curand_uniform(&a);
    double v = curand_uniform_double(&a);
    low += !(u > 0.0f && u <= 1.0f && v > 0.0 && v <= 1.0);
  }
  out[3] = low == 0;
}

int main(int argc, char** argv) {
  int draws = argc > 1 ? atoi(argv[1]) : 50;
  curandState* states;
  unsigned *results, host[6];
  CUDA_CALL(cudaMalloc(&states, BLOCKS * THREADS * sizeof(curandState)));
  CUDA_CALL(cudaMalloc(&results, sizeof host));
  CUDA_CALL(cudaMemset(results, 0, sizeof host));
  for (int round = 0; round < 2; ++round) {
    setup_kernel<<<BLOCKS, THREADS>>>(states, 42);
    count<<<BLOCKS, THREADS>>>(states, draws, results + 4 + round);
  }
  properties<<<1, 1>>>(results);
  CUDA_CALL(cudaGetLastError());
  CUDA_CALL(cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaFree(states));
  CUDA_CALL(cudaFree(results));
  double n = (double)draws * BLOCKS * THREADS, pi = 4.0 * host[4] / n, limit = 5 * 1.65 / sqrt(n);
  printf("pi is about %.3f; twice the same: %d; properties %u%u%u%u\n", pi, host[4] == host[5],
         host[0], host[1], host[2], host[3]);
  bool ok =
      fabs(pi - M_PI) < limit && host[4] == host[5] && host[0] && host[1] && host[2] && host[3];
  puts(ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
