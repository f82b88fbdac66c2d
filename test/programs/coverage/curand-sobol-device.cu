// SPDX-License-Identifier: Apache-2.0
// COVERS: curand device, curand: Sobol, curand: scrambled Sobol
// FLAGS: -lcurand
// The four Sobol states in kernels: their words against those of the library on an H200, skips, and
// integrals over five dimensions of uniform, normal and log-normal numbers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

#define NEED(x)                                                                                    \
  do {                                                                                             \
    if ((int)(x) != 0) {                                                                           \
      printf("%s failed\nFAIL\n", #x);                                                             \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

typedef unsigned long long Word;

struct Known {
  int dimension;
  unsigned offset;
  Word plain, scrambled; // of 64 bits; those of 32 bits are the upper halves
};
__constant__ Known known[] = {
    {0, 0, 0x0, 0xe20866fe27bec92a},          {0, 1000, 0x3840000000000000, 0xcbec24cb4a34b53d},
    {7, 1, 0x8000000000000000, 0xdfbf7bb270673b10}, {7, 1000, 0xe640000000000000, 0xad718ed2d8a92b05},
    {7, 123456789, 0xb138e22000000000, 0xecf97c8d2635d09d},
    {19, 5, 0xa000000000000000, 0x0f5c1feba3897c43}, {19, 1000, 0xb9c0000000000000, 0x1a349c0cbaf71949},
    {19, 123456789, 0xf9c614e000000000, 0x493fbd3ef85797fe}};
#define KNOWN 8

struct Tables {
  curandDirectionVectors32_t *plain32, *scrambled32;
  curandDirectionVectors64_t *plain64, *scrambled64;
  unsigned* constants32;
  Word* constants64;
};

// What a state gives next, after it has come to the place in two ways.
template <class State> __device__ bool agrees(State begun, State skipped, Word want, int bits) {
  for (int i = 0; i < 3; ++i)
    curand(&skipped); // that is at offset - 3 by now
  return (Word)curand(&begun) == want >> (64 - bits) && (Word)curand(&skipped) == want >> (64 - bits);
}

__global__ void words(Tables t, int* wrong) {
  Known k = known[threadIdx.x];
  int d = k.dimension;
  unsigned before = k.offset < 3 ? 0 : k.offset - 3;
  curandStateSobol32_t a, a0;
  curandStateScrambledSobol32_t b, b0;
  curandStateSobol64_t c, c0;
  curandStateScrambledSobol64_t e, e0;
  curand_init(t.plain32[d], k.offset, &a);
  curand_init(t.scrambled32[d], t.constants32[d], k.offset, &b);
  curand_init(t.plain64[d], k.offset, &c);
  curand_init(t.scrambled64[d], t.constants64[d], k.offset, &e);
  curand_init(t.plain32[d], 0, &a0);
  curand_init(t.scrambled32[d], t.constants32[d], 0, &b0);
  curand_init(t.plain64[d], 0, &c0);
  curand_init(t.scrambled64[d], t.constants64[d], 0, &e0);
  if (k.offset < 3) {
    a0 = a, b0 = b, c0 = c, e0 = e;
    // three steps back: the sequence repeats after all words
    skipahead(0u - 3u, &a0), skipahead(0u - 3u, &b0), skipahead(0ull - 3, &c0), skipahead(0ull - 3, &e0);
  } else {
    skipahead(before, &a0);
    skipahead<curandStateScrambledSobol32_t*>(before, &b0);
    skipahead((Word)before, &c0);
    skipahead<curandStateScrambledSobol64_t*>(before, &e0);
  }
  if (!agrees(a, a0, k.plain, 32) || !agrees(b, b0, k.scrambled, 32) ||
      !agrees(c, c0, k.plain, 64) || !agrees(e, e0, k.scrambled, 64))
    atomicAdd(wrong, 1);
}

#define DIMENSIONS 5
#define EACH 16

// Each thread takes EACH points, from the second one on. All means are 0: of 3u^2 - 1, of the product
// of all 2u less 1, of normal numbers, of their squares less 1, of log-normal ones' logarithms.
template <class Vectors, class State>
__global__ void integrate(Vectors* vectors, int points, double* sums) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  double u2 = 0, product = 0, z1 = 0, z2 = 0, y1 = 0;
  State state[DIMENSIONS];
#pragma unroll 1
  for (int d = 0; d < DIMENSIONS; ++d)
    curand_init(vectors[d], 1 + thread * EACH, &state[d]);
  for (int i = 0; i < EACH; ++i) {
    double p = 1;
#pragma unroll 1
    for (int d = 0; d < DIMENSIONS; ++d) {
      State twin = state[d], third = state[d], fourth = state[d];
      double u = curand_uniform_double(&state[d]), z = curand_normal_double(&twin);
      p *= 2 * curand_uniform(&fourth);
      u2 += 3 * u * u - 1, z1 += z, z2 += z * z - 1;
      y1 += log((double)curand_log_normal(&third, 0.5f, 1.0f)) - 0.5;
    }
    product += p - 1;
  }
  atomicAdd(&sums[0], u2 / points), atomicAdd(&sums[1], product / points);
  atomicAdd(&sums[2], z1 / points), atomicAdd(&sums[3], z2 / points);
  atomicAdd(&sums[4], y1 / points);
}

template <class T> T* copied(const T* table, int entries) {
  T* there;
  NEED(cudaMalloc(&there, entries * sizeof(T)));
  NEED(cudaMemcpy(there, table, entries * sizeof(T), cudaMemcpyHostToDevice));
  return there;
}

int main() {
  Tables t, h;
  NEED(curandGetDirectionVectors32(&h.plain32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  NEED(curandGetDirectionVectors32(&h.scrambled32, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
  NEED(curandGetDirectionVectors64(&h.plain64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  NEED(curandGetDirectionVectors64(&h.scrambled64, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
  NEED(curandGetScrambleConstants32(&h.constants32));
  NEED(curandGetScrambleConstants64(&h.constants64));
  t.plain32 = copied(h.plain32, 20), t.scrambled32 = copied(h.scrambled32, 20);
  t.plain64 = copied(h.plain64, 20), t.scrambled64 = copied(h.scrambled64, 20);
  t.constants32 = copied(h.constants32, 20), t.constants64 = copied(h.constants64, 20);
  int zero = 0, *wrong = copied(&zero, 1);
  words<<<1, KNOWN>>>(t, wrong);
  NEED(cudaMemcpy(&zero, wrong, sizeof zero, cudaMemcpyDeviceToHost));
  printf("%d wrong words\n", zero);
  bool ok = zero == 0;
  const int points = 4096;
  double sums[10] = {}, *dsums = copied(sums, 10);
  integrate<curandDirectionVectors32_t, curandStateSobol32_t>
      <<<points / EACH / 64, 64>>>(t.plain32, points, dsums);
  integrate<curandDirectionVectors64_t, curandStateSobol64_t>
      <<<points / EACH / 64, 64>>>(t.plain64, points, dsums + 5);
  NEED(cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 10; ++i) {
    printf("%.5f ", sums[i]);
    ok = ok && fabs(sums[i]) < 0.03; // chance would miss by about 0.05
  }
  puts("");
  void* all[] = {t.plain32,     t.scrambled32, t.plain64, t.scrambled64,
                 t.constants32, t.constants64, wrong,     dsums};
  for (void* memory : all)
    NEED(cudaFree(memory));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
