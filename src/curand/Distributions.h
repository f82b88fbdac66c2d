// SPDX-License-Identifier: Apache-2.0
//
// What is made of a generator's words, on the host.
#pragma once

#define QUALIFIERS static inline
#include <heddle_random.h>
#include <heddle_sobol.h>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace heddle::curand {

template <class State>
inline constexpr bool isSobol = heddle_sobol<std::remove_reference_t<State>*>::Bits != 0;

inline float uniform(curandStateMRG32k3a& state) {
  return float(curand_MRG32k3a(&state) * MRG32K3A_NORM);
}
/// Of a word of 64 bits the upper half is taken.
template <class State> float uniform(State& state) {
  constexpr std::size_t bits = 8 * sizeof(::curand(&state));
  return std::fma(float(unsigned(::curand(&state) >> (bits - 32))), 0x1p-32F, 0x1p-33F);
}

inline double uniformDouble(curandStateMRG32k3a& state) {
  return curand_MRG32k3a(&state) * MRG32K3A_NORM;
}
inline double uniformDouble(curandStateSobol32& state) {
  return ::curand(&state) * 0x1p-32 + 0x1p-32;
}
inline double uniformDouble(curandStateSobol64& state) {
  return double(::curand(&state) >> 11) * 0x1p-53 + 0x1p-54;
}
template <class State> double uniformDouble(State& state) {
  const unsigned long long low = ::curand(&state), high = ::curand(&state);
  return double(low ^ (high << 21)) * 0x1p-53 + 0x1p-54;
}

/// How many uniform numbers can be multiplied before the product falls below exp(-lambda); a large
/// lambda is the sum of small ones.
template <class State> unsigned poisson(State& state, double lambda) {
  const int parts = int(lambda / 64) + 1;
  unsigned count = 0;
  for (int part = 0; part < parts; ++part)
    for (double product = std::exp(lambda / parts) * double(uniform(state)); product > 1; ++count)
      product *= double(uniform(state));
  return count;
}

/// Two normal numbers, by Box and Muller.
template <class State> std::pair<double, double> normalPair(State& state, bool isDouble) {
  const double u = isDouble ? uniformDouble(state) : double(uniform(state));
  const double v = isDouble ? uniformDouble(state) : double(uniform(state));
  const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * M_PI * v;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}

/// Where the normal distribution's function is p, for p of 0 to 1/2: a first guess of Abramowitz
/// and Stegun (26.2.23, wrong by 4.5e-4 at most), and Halley's steps from there.
inline double normalQuantile(double p) {
  const double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int step = 0; step < 3; ++step) {
    const double error = std::erfc(-x * M_SQRT1_2) / 2 - p;
    const double ratio = error * std::sqrt(2 * M_PI) * std::exp(x * x / 2);
    x -= ratio / (1 + x * ratio / 2);
  }
  return x;
}

/// One normal number of one word; the upper half is mirrored, where digits would be lost. A float
/// is made of 32 bits, a double of 32 or of 53.
template <class T, class Word> T normalOfOne(Word word) {
  constexpr std::size_t bits = 8 * sizeof(Word);
  constexpr std::size_t taken = bits == 64 && sizeof(T) == sizeof(double) ? 53 : 32;
  const bool isUpper = (word >> (bits - taken)) > std::uint64_t{1} << (taken - 1);
  const auto index = double((isUpper ? Word(~word) : word) >> (bits - taken));
  const double unit = std::ldexp(1.0, -int(taken));
  const double p = sizeof(T) == sizeof(double)
                       ? index * unit + unit / 2
                       : double(std::fma(float(index), float(unit), float(unit) / 2));
  const double quantile = normalQuantile(p);
  return T(isUpper ? -quantile : quantile);
}

} // namespace heddle::curand
