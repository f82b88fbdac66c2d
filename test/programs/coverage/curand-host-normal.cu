// SPDX-License-Identifier: Apache-2.0
// COVERS: curand host, curand: normal, curand: poisson
// FLAGS: -lcurand
// Normal numbers in float and double, Poisson counts, plain bits and a host generator. Arguments:
// n.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <curand.h>

static void need(bool ok, const char* what) {
  if (!ok) {
    printf("%s failed\nFAIL\n", what);
    exit(1);
  }
}
#define RAND(x) need((x) == CURAND_STATUS_SUCCESS, #x)
#define CUDA(x) need((x) == cudaSuccess, #x)

template <typename T> bool moments(const T* device, size_t n, double mean, double variance) {
  std::vector<T> h(n);
  CUDA(cudaMemcpy(h.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  double s = 0, q = 0;
  for (T v : h) {
    s += (double)v / n;
    q += (double)v * v / n;
  }
  bool ok = fabs(s - mean) < 5 * sqrt(variance / n) &&
            fabs((q - s * s) / variance - 1) < 8 * sqrt(2.0 / n);
  printf("mean %.3f (%.3f), variance %.3f (%.3f)\n", s, mean, q - s * s, variance);
  return ok;
}

int main(int argc, char** argv) {
  size_t n = (argc > 1 ? (size_t)atoi(argv[1]) : 8192) & ~(size_t)1; // normal numbers come in pairs
  void* data;
  CUDA(cudaMalloc(&data, n * sizeof(double)));
  curandGenerator_t gen;
  RAND(curandCreateGenerator(&gen, CURAND_RNG_PSEUDO_XORWOW));
  RAND(curandSetPseudoRandomGeneratorSeed(gen, 777));
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  RAND(curandSetStream(gen, stream));
  RAND(curandGenerateNormal(gen, (float*)data, n, 2.0f, 3.0f));
  CUDA(cudaStreamSynchronize(stream));
  bool ok = moments((float*)data, n, 2, 9);
  RAND(curandGenerateNormalDouble(gen, (double*)data, n, -1.0, 0.5));
  CUDA(cudaStreamSynchronize(stream));
  ok = moments((double*)data, n, -1, 0.25) && ok;
  RAND(curandGeneratePoisson(gen, (unsigned*)data, n, 12.0));
  CUDA(cudaStreamSynchronize(stream));
  ok = moments((unsigned*)data, n, 12, 12) && ok;
  RAND(curandDestroyGenerator(gen));
  // A generator of the host fills memory of the host; the same seed gives the same numbers.
  std::vector<double> a(n), b(n);
  for (std::vector<double>* v : {&a, &b}) {
    curandGenerator_t host;
    RAND(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_MRG32K3A));
    RAND(curandSetPseudoRandomGeneratorSeed(host, 5));
    RAND(curandGenerateUniformDouble(host, v->data(), n));
    RAND(curandDestroyGenerator(host));
  }
  double mean = 0;
  for (double v : a)
    mean += v / n;
  ok = ok && a == b && fabs(mean - 0.5) < 5 * 0.2887 / sqrt((double)n);
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFree(data));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
