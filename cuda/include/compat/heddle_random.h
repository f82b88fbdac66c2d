// SPDX-License-Identifier: Apache-2.0
//
// cuRAND's generators: XORWOW, MRG32k3a and Philox4_32_10, with the numbers of the real ones bit
// for bit. Their states are laid out alike too: with nvcc's device code host code only asks their
// size. Plain C++ may include this as well.
#ifndef HEDDLE_COMPAT_RANDOM_H
#define HEDDLE_COMPAT_RANDOM_H

#include "heddle_random_jumps.h"
#include "vector_functions.h"
#ifdef __CUDACC__
#include "heddle_xorwow_matrices.h"
#endif

// A program may set it, to run the generators on the host as well.
#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

// The second number of a pair of normal ones waits in the state, for a call of the same kind.
#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

template <class State> QUALIFIERS void heddle_random_no_extra(State* state) {
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

// XORWOW: Marsaglia's xorshift of 160 bits plus a counter.

QUALIFIERS void heddle_xorwow_step(unsigned int v[5]) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

QUALIFIERS unsigned int curand(curandStateXORWOW_t* state) {
  heddle_xorwow_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}

// A polynomial in the step, given the state: the sum of the states at the steps whose bit is set.
QUALIFIERS void heddle_xorwow_jump(const unsigned int* polynomial, unsigned int v[5]) {
  unsigned int sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; ++word)
    for (unsigned int bits = polynomial[word], i = 0; i < 32; ++i, bits >>= 1) {
      const unsigned int mask = 0u - (bits & 1u);
      for (int k = 0; k < 5; ++k)
        sum[k] ^= v[k] & mask;
      heddle_xorwow_step(v);
    }
  for (int k = 0; k < 5; ++k)
    v[k] = sum[k];
}

QUALIFIERS void heddle_xorwow_skip(unsigned long long count, int first,
                                   curandStateXORWOW_t* state) {
  for (int power = first; count != 0; ++power, count >>= 1)
    if (count & 1)
      heddle_xorwow_jump(heddle_xorwow_jumps[power], state->v);
}

QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  heddle_xorwow_skip(n, 0, state);
  state->d += 362437 * (unsigned int)n;
}

// A bit that is set adds its row of the matrix, as in cuRAND's device code: lanes part here.
QUALIFIERS void heddle_xorwow_product(const unsigned int* matrix, unsigned int v[5]) {
  unsigned int sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; ++word)
#pragma unroll 16
    for (int bit = 0; bit < 32; ++bit)
      if (v[word] & (1u << bit))
        for (int k = 0; k < 5; ++k)
          sum[k] ^= matrix[5 * (32 * word + bit) + k];
  for (int k = 0; k < 5; ++k)
    v[k] = sum[k];
}

// By 2^67 numbers each, of which the counter makes whole rounds.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  int first = 67;
#ifdef __CUDA_ARCH__
  for (int digit = 0; digit < 16 && n != 0; ++digit, n >>= 2)
    for (unsigned int turn = 0; turn < (n & 3); ++turn)
      heddle_xorwow_product(precalc_xorwow_matrix[digit], state->v);
  first += 32;
#endif
  heddle_xorwow_skip(n, first, state);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  heddle_random_no_extra(state);
}

// MRG32k3a: the difference of two recurrences of three numbers, by L'Ecuyer. The product of two
// numbers below the primes fits 64 bits, so all of it is exact.

#define HEDDLE_MRG_PRIME1 4294967087ull
#define HEDDLE_MRG_PRIME2 4294944443ull
#define MRG32K3A_NORM (2.3283065498378288e-10)
#define MRG32K3A_BITS_NORM 1.000000048662

QUALIFIERS unsigned int heddle_mrg_shift(unsigned int s[3], unsigned long long next,
                                         unsigned long long prime) {
  s[0] = s[1];
  s[1] = s[2];
  return s[2] = (unsigned int)(next % prime);
}

QUALIFIERS unsigned int heddle_mrg1_step(unsigned int s[3]) {
  return heddle_mrg_shift(s, 1403580ull * s[1] + 810728ull * (HEDDLE_MRG_PRIME1 - s[0]),
                          HEDDLE_MRG_PRIME1);
}

QUALIFIERS unsigned int heddle_mrg2_step(unsigned int s[3]) {
  return heddle_mrg_shift(s, 527612ull * s[2] + 1370589ull * (HEDDLE_MRG_PRIME2 - s[0]),
                          HEDDLE_MRG_PRIME2);
}

// From 1 to the first prime.
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t* state) {
  const unsigned int a = heddle_mrg1_step(state->s1), b = heddle_mrg2_step(state->s2);
  return a <= b ? a + (unsigned int)HEDDLE_MRG_PRIME1 - b : a - b;
}

QUALIFIERS unsigned int curand(curandStateMRG32k3a_t* state) {
  return (unsigned int)(curand_MRG32k3a(state) * MRG32K3A_BITS_NORM);
}

// A polynomial in the step, as XORWOW's. Three products below the square of a prime may exceed 64
// bits, so each is reduced by itself.
QUALIFIERS unsigned int heddle_mrg_combine(const unsigned int* polynomial, unsigned int a,
                                           unsigned int b, unsigned int c,
                                           unsigned long long prime) {
  const unsigned long long sum = (unsigned long long)polynomial[0] * a % prime +
                                 (unsigned long long)polynomial[1] * b % prime +
                                 (unsigned long long)polynomial[2] * c % prime;
  return (unsigned int)(sum % prime);
}

// Five numbers in a row hold the state and the two that follow it.
QUALIFIERS void heddle_mrg_jump(const unsigned int* polynomial, unsigned int s[3],
                                unsigned int fourth, unsigned int fifth, unsigned int first,
                                unsigned int second, unsigned long long prime) {
  const unsigned int third = s[0];
  s[0] = heddle_mrg_combine(polynomial, first, second, third, prime);
  s[1] = heddle_mrg_combine(polynomial, second, third, fourth, prime);
  s[2] = heddle_mrg_combine(polynomial, third, fourth, fifth, prime);
}

QUALIFIERS void heddle_mrg_skip(unsigned long long count, int first, curandStateMRG32k3a_t* state) {
  for (int power = first; count != 0; ++power, count >>= 1)
    if (count & 1) {
      const unsigned int a = state->s1[0], b = state->s1[1], c = state->s2[0], d = state->s2[1];
      const unsigned int a4 = heddle_mrg1_step(state->s1), a5 = heddle_mrg1_step(state->s1);
      const unsigned int c4 = heddle_mrg2_step(state->s2), c5 = heddle_mrg2_step(state->s2);
      heddle_mrg_jump(heddle_mrg1_jumps[power], state->s1, a4, a5, a, b, HEDDLE_MRG_PRIME1);
      heddle_mrg_jump(heddle_mrg2_jumps[power], state->s2, c4, c5, c, d, HEDDLE_MRG_PRIME2);
    }
}

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  heddle_mrg_skip(n, 0, state);
}

QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  heddle_mrg_skip(n, 76, state);
}

QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  heddle_mrg_skip(n, 127, state);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t* state) {
  const unsigned int start = 12345u;
  const unsigned int low = (unsigned int)seed ^ 0x55555555u;
  const unsigned int high = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
  for (int k = 0; k < 3; ++k) {
    const unsigned long long first = seed == 0 ? 1 : k == 1 ? high : low;
    const unsigned long long second = seed == 0 ? 1 : k == 1 ? low : high;
    state->s1[k] = (unsigned int)(first * start % HEDDLE_MRG_PRIME1);
    state->s2[k] = (unsigned int)(second * start % HEDDLE_MRG_PRIME2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  heddle_random_no_extra(state);
}

// Philox4_32_10: ten rounds over a counter of 128 bits, by Salmon and others. Its upper half is the
// subsequence. The state keeps the four numbers of the counter, and which of them is next.

QUALIFIERS uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * counter.x, b = 0xCD9E8D57ull * counter.z;
    counter = make_uint4((unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                         (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

QUALIFIERS void heddle_philox_advance(unsigned long long low, unsigned long long high,
                                      curandStatePhilox4_32_10_t* state) {
  unsigned long long first = ((unsigned long long)state->ctr.y << 32) | state->ctr.x;
  unsigned long long second = ((unsigned long long)state->ctr.w << 32) | state->ctr.z;
  first += low;
  second += high + (first < low ? 1 : 0);
  state->ctr = make_uint4((unsigned int)first, (unsigned int)(first >> 32), (unsigned int)second,
                          (unsigned int)(second >> 32));
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS unsigned int heddle_philox_word(uint4 words, unsigned int which) {
  return which == 0 ? words.x : which == 1 ? words.y : which == 2 ? words.z : words.w;
}

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int result = heddle_philox_word(state->output, state->STATE++);
  if (state->STATE == 4) {
    heddle_philox_advance(1, 0, state);
    state->STATE = 0;
  }
  return result;
}

QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 a = state->output;
  heddle_philox_advance(1, 0, state);
  const uint4 b = state->output;
  switch (state->STATE) {
  case 1:
    return make_uint4(a.y, a.z, a.w, b.x);
  case 2:
    return make_uint4(a.z, a.w, b.x, b.y);
  case 3:
    return make_uint4(a.w, b.x, b.y, b.z);
  default:
    return a;
  }
}

QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int word = state->STATE + (unsigned int)(n & 3);
  state->STATE = word & 3;
  heddle_philox_advance(n / 4 + word / 4, 0, state);
}

QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  heddle_philox_advance(0, n, state);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  heddle_random_no_extra(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

#endif
