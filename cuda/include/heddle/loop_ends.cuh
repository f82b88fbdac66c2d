// SPDX-License-Identifier: Apache-2.0
//
// Where loops end whose counter is compared through its square, or to a floating-point number:
//
//   i * i <= n       i < heddle::square_above(n)            i * i < n      heddle::square_from(n)
//   i <= sqrtf(n)    i < heddle::whole_above<int>(sqrtf(n)) i < sqrtf(n)   heddle::whole_from<int>
#pragma once

#include <limits>

namespace heddle {
namespace detail {

template <class Int> struct whole_numbers {
  static constexpr Int first = std::numeric_limits<Int>::min();
  static constexpr Int last = std::numeric_limits<Int>::max();
};

/// Of a number that is not negative; off by one or two.
template <class Int> __host__ __device__ inline Int near_root(Int n) {
  if constexpr (sizeof(Int) > 4)
    return static_cast<Int>(sqrt(static_cast<double>(n)));
  else
    return static_cast<Int>(sqrtf(static_cast<float>(n)));
}

} // namespace detail

/// The first number from 0 on whose square is above n. Squares of unsigned numbers wrap around, as
/// they do in the loop; of 64 bits none is looked for behind that.
template <class Int> __host__ __device__ inline Int square_above(Int n) {
  constexpr Int last = detail::whole_numbers<Int>::last;
  constexpr bool wraps = !std::numeric_limits<Int>::is_signed;
  constexpr Int behind = wraps ? static_cast<Int>(Int{1} << (sizeof(Int) * 4)) : last;
  if constexpr (!wraps)
    if (n < 0)
      return 0;
  Int root = detail::near_root(n);
  while (root > 0 && root > n / root)
    --root;
  while (root < behind && (root == 0 || root <= n / root))
    ++root;
  if constexpr (wraps && sizeof(Int) <= 4) {
    while (root >= behind && root < last && static_cast<Int>(root * root) <= n)
      ++root;
    return root;
  } else {
    return wraps && root == behind ? last : root;
  }
}

/// The first number from 0 on whose square is at least n.
template <class Int> __host__ __device__ inline Int square_from(Int n) {
  return n < 1 ? 0 : square_above(static_cast<Int>(n - 1));
}

/// The first whole number above x.
template <class Int, class Real> __host__ __device__ inline Int whole_above(Real x) {
  constexpr Int first = detail::whole_numbers<Int>::first, last = detail::whole_numbers<Int>::last;
  if (!(x >= static_cast<Real>(first)))
    return first;
  if (x >= static_cast<Real>(last))
    return last;
  Int whole = static_cast<Int>(x);
  while (whole > first && static_cast<Real>(whole) > x)
    --whole;
  while (whole < last && static_cast<Real>(whole) <= x)
    ++whole;
  return whole;
}

/// The first whole number that is not below x.
template <class Int, class Real> __host__ __device__ inline Int whole_from(Real x) {
  constexpr Int first = detail::whole_numbers<Int>::first, last = detail::whole_numbers<Int>::last;
  if (!(x > static_cast<Real>(first)))
    return first;
  if (x > static_cast<Real>(last))
    return last;
  Int whole = static_cast<Int>(x);
  while (whole > first && static_cast<Real>(whole) >= x)
    --whole;
  while (whole < last && static_cast<Real>(whole) < x)
    ++whole;
  return whole;
}

} // namespace heddle
