// SPDX-License-Identifier: Apache-2.0
//
// The 128 bits of a machine instruction of Volta and later. NVIDIA does not document them; what is
// read here was learned from what cuobjdump prints for sm_90.
#pragma once

#include <cstdint>

namespace heddle::sassrun {

struct Encoding {
  std::uint64_t low = 0, high = 0;

  constexpr std::uint64_t bits(unsigned first, unsigned count) const {
    const std::uint64_t all = first >= 64  ? high >> (first - 64)
                              : first == 0 ? low
                                           : (low >> first) | (high << (64 - first));
    return count >= 64 ? all : all & ((std::uint64_t{1} << count) - 1);
  }
  constexpr bool bit(unsigned at) const { return bits(at, 1) != 0; }
  constexpr std::int64_t signedBits(unsigned first, unsigned count) const {
    return std::int64_t(bits(first, count) << (64 - count)) >> (64 - count);
  }

  /// What it does, without the form of its operands.
  constexpr unsigned operation() const { return unsigned(bits(0, 9)); }
  /// Where its second and third operand come from.
  constexpr unsigned form() const { return unsigned(bits(9, 3)); }

  bool operator==(const Encoding&) const = default;
};

} // namespace heddle::sassrun
