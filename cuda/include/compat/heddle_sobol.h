// SPDX-License-Identifier: Apache-2.0
//
// cuRAND's Sobol generators, plain and scrambled, of 32 and 64 bits. A number is the sum over GF(2)
// of the direction vectors whose bits are set in the Gray code of its index, so that two neighbours
// differ by one vector. The states are laid out as the real ones. Plain C++ may include this as
// well.
#ifndef HEDDLE_COMPAT_SOBOL_H
#define HEDDLE_COMPAT_SOBOL_H

#include "heddle_random.h"

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};

typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

// Of which words a state is made; nothing for other states.
template <class State> struct heddle_sobol {
  enum { Bits = 0 };
};
template <> struct heddle_sobol<curandStateSobol32*> {
  typedef unsigned int Word;
  enum { Bits = 32 };
};
template <> struct heddle_sobol<curandStateScrambledSobol32*> {
  typedef unsigned int Word;
  enum { Bits = 32 };
};
template <> struct heddle_sobol<curandStateSobol64*> {
  typedef unsigned long long Word;
  enum { Bits = 64 };
};
template <> struct heddle_sobol<curandStateScrambledSobol64*> {
  typedef unsigned long long Word;
  enum { Bits = 64 };
};

// A template as the real one: programs may name the state's type.
template <class Pointer>
QUALIFIERS void skipahead(typename heddle_sobol<Pointer>::Word n, Pointer state) {
  typedef typename heddle_sobol<Pointer>::Word Word;
  state->i += n;
  state->x = state->c;
  const Word gray = state->i ^ (state->i >> 1);
  for (unsigned int bit = 0; bit < heddle_sobol<Pointer>::Bits; ++bit)
    if (gray & ((Word)1 << bit))
      state->x ^= state->direction_vectors[bit];
}

template <class State, class Word>
QUALIFIERS void heddle_sobol_init(const Word* vectors, Word constant, Word offset, State* state) {
  for (unsigned int bit = 0; bit < heddle_sobol<State*>::Bits; ++bit)
    state->direction_vectors[bit] = vectors[bit];
  state->i = 0;
  state->c = constant;
  skipahead(offset, state);
}

QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                            curandStateSobol32_t* state) {
  heddle_sobol_init(direction_vectors, 0u, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int scramble_c,
                            unsigned int offset, curandStateScrambledSobol32_t* state) {
  heddle_sobol_init(direction_vectors, scramble_c, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long offset,
                            curandStateSobol64_t* state) {
  heddle_sobol_init(direction_vectors, 0ull, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors,
                            unsigned long long scramble_c, unsigned long long offset,
                            curandStateScrambledSobol64_t* state) {
  heddle_sobol_init(direction_vectors, scramble_c, offset, state);
}

// The next Gray code differs in the bit of the index's lowest zero; after the last index in the
// highest one.
QUALIFIERS unsigned int curand(curandStateSobol32_t* state) {
  const unsigned int result = state->x, free = ~state->i++;
  state->x ^= state->direction_vectors[free != 0 ? __builtin_ctz(free) : 31];
  return result;
}
QUALIFIERS unsigned int curand(curandStateScrambledSobol32_t* state) {
  const unsigned int result = state->x, free = ~state->i++;
  state->x ^= state->direction_vectors[free != 0 ? __builtin_ctz(free) : 31];
  return result;
}
QUALIFIERS unsigned long long curand(curandStateSobol64_t* state) {
  const unsigned long long result = state->x, free = ~state->i++;
  state->x ^= state->direction_vectors[free != 0 ? __builtin_ctzll(free) : 63];
  return result;
}
QUALIFIERS unsigned long long curand(curandStateScrambledSobol64_t* state) {
  const unsigned long long result = state->x, free = ~state->i++;
  state->x ^= state->direction_vectors[free != 0 ? __builtin_ctzll(free) : 63];
  return result;
}

#endif
