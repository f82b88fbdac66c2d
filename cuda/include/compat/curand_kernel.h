// SPDX-License-Identifier: Apache-2.0
//
// cuRAND's device API: uniform, normal and log-normal numbers over the generators of
// heddle_random.h. Uniform numbers are the real ones' bit for bit; of normal ones the last bits are
// those of Heddle's logarithm, sine and cosine. Poisson numbers are the real ones' for a lambda
// below 64. Discrete numbers are not there, and no Poisson numbers of a Sobol state.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "curand.h"
#include "heddle_random.h"
#include "heddle_sobol.h"

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)
#define CURAND_2PI (6.2831855f)
#define CURAND_SQRT2 (-1.4142135f)
#define CURAND_SQRT2_DOUBLE (-1.4142135623730951)

// Uniform in (0, 1].

QUALIFIERS float _curand_uniform(unsigned int x) {
  return x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f);
}
QUALIFIERS double _curand_uniform_double(unsigned int x) {
  return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
QUALIFIERS float _curand_uniform(unsigned long long x) {
  return _curand_uniform((unsigned int)(x >> 32));
}
QUALIFIERS double _curand_uniform_double(unsigned long long x) {
  return (x >> 11) * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
}
QUALIFIERS unsigned long long heddle_random_53_bits(unsigned int x, unsigned int y) {
  return (unsigned long long)x ^ ((unsigned long long)y << 21);
}
QUALIFIERS double _curand_uniform_double_hq(unsigned int x, unsigned int y) {
  return heddle_random_53_bits(x, y) * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
}

QUALIFIERS float curand_uniform(curandStateXORWOW_t* state) {
  return _curand_uniform(curand(state));
}
QUALIFIERS float curand_uniform(curandStatePhilox4_32_10_t* state) {
  return _curand_uniform(curand(state));
}
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t* state) {
  return (float)(curand_MRG32k3a(state) * MRG32K3A_NORM);
}
QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
                     _curand_uniform(x.w));
}
QUALIFIERS double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int x = curand(state), y = curand(state);
  return _curand_uniform_double_hq(x, y);
}
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return _curand_uniform_double(curand(state));
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return curand_MRG32k3a(state) * MRG32K3A_NORM;
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

// Normal, in pairs, by Box and Muller.

QUALIFIERS float2 heddle_random_pair(float u, float angle) {
  const float radius = sqrtf(-2.0f * logf(u));
  float2 result;
  __sincosf(angle, &result.x, &result.y);
  result.x *= radius;
  result.y *= radius;
  return result;
}
QUALIFIERS double2 heddle_random_pair_double(double u, double half_turns) {
  const double radius = sqrt(-2.0 * log(u));
  double2 result;
  sincospi(half_turns, &result.x, &result.y);
  result.x *= radius;
  result.y *= radius;
  return result;
}
QUALIFIERS float2 _curand_box_muller(unsigned int x, unsigned int y) {
  return heddle_random_pair(_curand_uniform(x),
                            y * CURAND_2POW32_INV_2PI + (CURAND_2POW32_INV_2PI / 2));
}
QUALIFIERS double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                             unsigned int y1) {
  return heddle_random_pair_double(
      _curand_uniform_double_hq(x0, x1),
      heddle_random_53_bits(y0, y1) * (CURAND_2POW53_INV_DOUBLE * 2.0) + CURAND_2POW53_INV_DOUBLE);
}

template <class State> QUALIFIERS float2 curand_box_muller(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  return _curand_box_muller(x, y);
}
QUALIFIERS double2 curand_box_muller_double(curandStateXORWOW_t* state) {
  const unsigned int x0 = curand(state), x1 = curand(state);
  const unsigned int y0 = curand(state), y1 = curand(state);
  return _curand_box_muller_double(x0, x1, y0, y1);
}

QUALIFIERS float2 curand_normal2(curandStateXORWOW_t* state) {
  return curand_box_muller(state);
}
QUALIFIERS float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
  return curand_box_muller(state);
}
QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const float u = curand_uniform(state), v = curand_uniform(state);
  return heddle_random_pair(u, v * CURAND_2PI);
}
QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t* state) {
  return curand_box_muller_double(state);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  const double u = curand_uniform_double(state), v = curand_uniform_double(state);
  return heddle_random_pair_double(u, v * 2.0);
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

// One of a pair; the other one waits for the next call.

template <class State> QUALIFIERS float heddle_random_normal(State* state) {
  if (state->boxmuller_flag == EXTRA_FLAG_NORMAL) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = EXTRA_FLAG_NORMAL;
  return pair.x;
}
template <class State> QUALIFIERS double heddle_random_normal_double(State* state) {
  if (state->boxmuller_flag_double == EXTRA_FLAG_NORMAL) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = EXTRA_FLAG_NORMAL;
  return pair.x;
}

// Log-normal: the exponential of a normal number.

template <class State>
QUALIFIERS float2 heddle_random_log_normal2(State* state, float mean, float stddev) {
  const float2 pair = curand_normal2(state);
  return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y));
}
template <class State>
QUALIFIERS double2 heddle_random_log_normal2_double(State* state, double mean, double stddev) {
  const double2 pair = curand_normal2_double(state);
  return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));
}
template <class State>
QUALIFIERS float heddle_random_log_normal(State* state, float mean, float stddev) {
  if (state->boxmuller_flag == EXTRA_FLAG_LOG_NORMAL) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = heddle_random_log_normal2(state, mean, stddev);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = EXTRA_FLAG_LOG_NORMAL;
  return pair.x;
}
template <class State>
QUALIFIERS double heddle_random_log_normal_double(State* state, double mean, double stddev) {
  if (state->boxmuller_flag_double == EXTRA_FLAG_LOG_NORMAL) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = heddle_random_log_normal2_double(state, mean, stddev);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = EXTRA_FLAG_LOG_NORMAL;
  return pair.x;
}

#define HEDDLE_RANDOM_NORMAL(State)                                                                \
  QUALIFIERS float curand_normal(State* state) {                                                   \
    return heddle_random_normal(state);                                                            \
  }                                                                                                \
  QUALIFIERS double curand_normal_double(State* state) {                                           \
    return heddle_random_normal_double(state);                                                     \
  }                                                                                                \
  QUALIFIERS float curand_log_normal(State* state, float mean, float stddev) {                     \
    return heddle_random_log_normal(state, mean, stddev);                                          \
  }                                                                                                \
  QUALIFIERS float2 curand_log_normal2(State* state, float mean, float stddev) {                   \
    return heddle_random_log_normal2(state, mean, stddev);                                         \
  }                                                                                                \
  QUALIFIERS double curand_log_normal_double(State* state, double mean, double stddev) {           \
    return heddle_random_log_normal_double(state, mean, stddev);                                   \
  }                                                                                                \
  QUALIFIERS double2 curand_log_normal2_double(State* state, double mean, double stddev) {         \
    return heddle_random_log_normal2_double(state, mean, stddev);                                  \
  }
HEDDLE_RANDOM_NORMAL(curandStateXORWOW_t)
HEDDLE_RANDOM_NORMAL(curandStatePhilox4_32_10_t)
HEDDLE_RANDOM_NORMAL(curandStateMRG32k3a_t)
#undef HEDDLE_RANDOM_NORMAL

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 v = curand_normal4(state);
  return make_float4(expf(mean + stddev * v.x), expf(mean + stddev * v.y),
                     expf(mean + stddev * v.z), expf(mean + stddev * v.w));
}

// Of a Sobol state each number makes one, whatever its distribution: normal ones by the inverse of
// the distribution function. The upper half of it is mirrored, where the inverse would lose digits.

QUALIFIERS float _curand_normal_icdf(unsigned int x) {
  const bool is_upper = x > 0x80000000u;
  const float p = _curand_uniform(is_upper ? 0xffffffffu - x : x);
  return (is_upper ? -CURAND_SQRT2 : CURAND_SQRT2) * erfcinvf(2.0f * p);
}
QUALIFIERS float _curand_normal_icdf(unsigned long long x) {
  return _curand_normal_icdf((unsigned int)(x >> 32));
}
QUALIFIERS double _curand_normal_icdf_double(unsigned int x) {
  const bool is_upper = x > 0x80000000u;
  const double p = (is_upper ? 0xffffffffu - x : x) * CURAND_2POW32_INV_DOUBLE +
                   (CURAND_2POW32_INV_DOUBLE / 2.0);
  return (is_upper ? -CURAND_SQRT2_DOUBLE : CURAND_SQRT2_DOUBLE) * erfcinv(2.0 * p);
}
QUALIFIERS double _curand_normal_icdf_double(unsigned long long x) {
  const bool is_upper = (x >> 11) > 0x10000000000000ull;
  const double p = _curand_uniform_double(is_upper ? 0xffffffffffffffffull - x : x);
  return (is_upper ? -CURAND_SQRT2_DOUBLE : CURAND_SQRT2_DOUBLE) * erfcinv(2.0 * p);
}

#define HEDDLE_RANDOM_SOBOL(State)                                                                 \
  QUALIFIERS float curand_uniform(State* state) {                                                  \
    return _curand_uniform(curand(state));                                                         \
  }                                                                                                \
  QUALIFIERS double curand_uniform_double(State* state) {                                          \
    return _curand_uniform_double(curand(state));                                                  \
  }                                                                                                \
  QUALIFIERS float curand_normal(State* state) {                                                   \
    return _curand_normal_icdf(curand(state));                                                     \
  }                                                                                                \
  QUALIFIERS double curand_normal_double(State* state) {                                           \
    return _curand_normal_icdf_double(curand(state));                                              \
  }                                                                                                \
  QUALIFIERS float curand_log_normal(State* state, float mean, float stddev) {                     \
    return expf(mean + stddev * curand_normal(state));                                             \
  }                                                                                                \
  QUALIFIERS double curand_log_normal_double(State* state, double mean, double stddev) {           \
    return exp(mean + stddev * curand_normal_double(state));                                       \
  }
HEDDLE_RANDOM_SOBOL(curandStateSobol32_t)
HEDDLE_RANDOM_SOBOL(curandStateScrambledSobol32_t)
HEDDLE_RANDOM_SOBOL(curandStateSobol64_t)
HEDDLE_RANDOM_SOBOL(curandStateScrambledSobol64_t)
#undef HEDDLE_RANDOM_SOBOL

// Poisson: how many uniform numbers can be multiplied before the product falls below exp(-lambda).
// A large lambda is the sum of small ones, a very large one a normal number.

template <class State> QUALIFIERS unsigned int heddle_random_knuth(State* state, float lambda) {
  unsigned int count = 0;
  for (float product = expf(lambda) * curand_uniform(state); product > 1.0f; ++count)
    product *= curand_uniform(state);
  return count;
}
template <class State> QUALIFIERS unsigned int curand_poisson(State* state, double lambda) {
  static_assert(heddle_sobol<State*>::Bits == 0,
                "curand_poisson of a Sobol state is not supported yet");
  if (lambda > 4000)
    return (unsigned int)(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);
  const int parts = (int)(lambda / 64) + 1;
  unsigned int count = 0;
  for (int part = 0; part < parts; ++part)
    count += heddle_random_knuth(state, (float)(lambda / parts));
  return count;
}
QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  const unsigned int a = curand_poisson(state, lambda), b = curand_poisson(state, lambda);
  const unsigned int c = curand_poisson(state, lambda), d = curand_poisson(state, lambda);
  return make_uint4(a, b, c, d);
}

#endif
