// SPDX-License-Identifier: Apache-2.0
// COVERS: curand host, curand: Sobol, curand: scrambled Sobol
// FLAGS: -lcurand
// Sobol numbers of the host API against those of the library on an H200: four generators, several
// dimensions, an offset, calls that follow each other, and what is refused.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>
#include <curand.h>

#define NEED(x)                                                                                    \
  do {                                                                                             \
    if ((int)(x) != 0) {                                                                           \
      printf("%s failed\nFAIL\n", #x);                                                             \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

typedef unsigned long long Word;

// Three dimensions, two points of each at offset 1000.
const Word plain[6] = {0x3840000000000000, 0xb840000000000000, 0x18c0000000000000,
                       0x98c0000000000000, 0x84c0000000000000, 0x04c0000000000000};
const Word scrambled[6] = {0xcbec24cb4a34b53d, 0x25e0a670fae68301, 0xf31ffcc124b00b42,
                           0x3006d327f868d9bb, 0x342953b2bffed00f, 0xb281865155e5dbb6};

static int failures = 0;

void check(bool good, const char* what, int type) {
  if (!good) {
    printf("generator %d: %s\n", type, what);
    ++failures;
  }
}

void compareWords(curandGenerator_t g, int type, void* device, const Word* want, bool is64) {
  unsigned words32[6];
  Word words64[6];
  NEED(curandSetGeneratorOffset(g, 1000));
  if (is64) {
    NEED(curandGenerateLongLong(g, (Word*)device, 6));
    NEED(cudaMemcpy(words64, device, sizeof words64, cudaMemcpyDeviceToHost));
    check(memcmp(words64, want, sizeof words64) == 0, "other words of 64 bits", type);
    check(curandGenerate(g, (unsigned*)device, 6) == CURAND_STATUS_TYPE_ERROR, "gives 32 bits", type);
  } else {
    NEED(curandGenerate(g, (unsigned*)device, 6));
    NEED(cudaMemcpy(words32, device, sizeof words32, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 6; ++i)
      check(words32[i] == want[i] >> 32, "other words of 32 bits", type);
    check(curandGenerateLongLong(g, (Word*)device, 6) == CURAND_STATUS_TYPE_ERROR, "gives 64 bits",
          type);
  }
}

// One after the other, as the words say.
void compareNumbers(curandGenerator_t g, int type, void* device, const Word* want, bool is64) {
  float u[6], z[6], first[3], second[3];
  double du[6], y[6];
  NEED(curandSetGeneratorOffset(g, 1000));
  NEED(curandGenerateUniform(g, (float*)device, 6));
  NEED(cudaMemcpy(u, device, sizeof u, cudaMemcpyDeviceToHost));
  NEED(curandSetGeneratorOffset(g, 1000));
  NEED(curandGenerateUniformDouble(g, (double*)device, 6));
  NEED(cudaMemcpy(du, device, sizeof du, cudaMemcpyDeviceToHost));
  NEED(curandSetGeneratorOffset(g, 1000));
  NEED(curandGenerateNormal(g, (float*)device, 6, 3, 2));
  NEED(cudaMemcpy(z, device, sizeof z, cudaMemcpyDeviceToHost));
  NEED(curandSetGeneratorOffset(g, 1000));
  NEED(curandGenerateLogNormalDouble(g, (double*)device, 6, 0.5, 0.25));
  NEED(cudaMemcpy(y, device, sizeof y, cudaMemcpyDeviceToHost));
  NEED(curandSetGeneratorOffset(g, 1000));
  NEED(curandGenerateUniform(g, (float*)device, 3));
  NEED(cudaMemcpy(first, device, sizeof first, cudaMemcpyDeviceToHost));
  NEED(curandGenerateUniform(g, (float*)device, 3));
  NEED(cudaMemcpy(second, device, sizeof second, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 6; ++i) {
    unsigned word = (unsigned)(want[i] >> 32);
    double exact = is64 ? (double)(want[i] >> 11) * 0x1p-53 + 0x1p-54 : word * 0x1p-32 + 0x1p-32;
    double p = word * 0x1p-32 + 0x1p-33, deviation = (z[i] - 3.0) / 2.0;
    check(u[i] == fmaf((float)word, 0x1p-32f, 0x1p-33f), "other floats", type);
    check(du[i] == exact, "other doubles", type);
    check(fabs(0.5 * erfc(-deviation / sqrt(2.0)) - p) < 1e-6, "normal is not the inverse", type);
    check(fabs(0.5 * erfc(-(log(y[i]) - 0.5) / 0.25 / sqrt(2.0)) - p) < 1e-9,
          "log-normal is not the inverse", type);
    check((i % 2 == 0 ? first : second)[i / 2] == u[i], "a second call does not go on", type);
  }
}

int main() {
  const curandRngType_t types[5] = {CURAND_RNG_QUASI_DEFAULT, CURAND_RNG_QUASI_SOBOL32,
                                    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64,
                                    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64};
  void* device;
  NEED(cudaMalloc(&device, 6 * sizeof(double)));
  for (curandRngType_t type : types) {
    bool is64 = type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    bool isScrambled = type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ||
                       type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    curandGenerator_t g;
    NEED(curandCreateGenerator(&g, type));
    check(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE,
          "takes no dimensions", type);
    check(curandSetQuasiRandomGeneratorDimensions(g, 20001) == CURAND_STATUS_OUT_OF_RANGE,
          "takes 20001 dimensions", type);
    check(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR, "takes a seed",
          type);
    NEED(curandSetQuasiRandomGeneratorDimensions(g, 3));
    NEED(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    compareWords(g, type, device, isScrambled ? scrambled : plain, is64);
    compareNumbers(g, type, device, isScrambled ? scrambled : plain, is64);
    check(curandGenerateUniform(g, (float*)device, 4) == CURAND_STATUS_LENGTH_NOT_MULTIPLE,
          "takes four numbers of three dimensions", type);
    NEED(curandDestroyGenerator(g));
  }
  NEED(cudaFree(device));
  puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
