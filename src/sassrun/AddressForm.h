// SPDX-License-Identifier: Apache-2.0
//
// How instructions that use memory name their address:
//
//   LDG.E R4, desc[UR6][R2.64+0x10]    a pair of registers and a constant; what the descriptor
//                                      says concerns caches
//   ATOM.E.ADD PT, R4, [R2+0x10], R5   the same without a descriptor
//   LDS R4, [R2+UR6+0x10]              a register, a uniform one and a constant
//
// Bit 91 says that there is a uniform register. Loads have it at bit 32, all others at bit 64.
#pragma once

#include "sassrun/Spaces.h"

#include <cstdint>
#include <optional>

namespace heddle::sassrun {

struct AddressForm {
  Space space = Space::Global;
  std::uint8_t base = zeroRegister; ///< a pair, but for shared and local memory
  std::uint8_t uniform = uniformZeroRegister;
  std::int32_t offset = 0;

  Location at(const Warp& warp, int lane) const {
    if (space == Space::Global || space == Space::Generic)
      return resolve(space, warp.getPair(base, lane) + std::uint64_t(std::int64_t{offset}));
    return resolve(space, warp.get(base, lane) + warp.uniform(uniform) + std::uint32_t(offset));
  }
};

/// How many bytes a load or store moves, from bits 73 to 75.
struct AccessSize {
  std::uint8_t bytes = 4;
  bool isSigned = false;
};
inline std::optional<AccessSize> accessSizeOf(const Encoding& code) {
  constexpr unsigned firstUnknown = 7;
  const auto kind = unsigned(code.bits(73, 3));
  if (kind >= firstUnknown)
    return {};
  if (kind < 4)
    return AccessSize{std::uint8_t(kind < 2 ? 1 : 2), kind % 2 != 0};
  return AccessSize{std::uint8_t(4u << (kind - 4)), false};
}

/// Nothing where it is of a form that is not known. `uniformAt` is where the uniform register
/// stands. `wideFlag` is the bit that is set with a descriptor and an address of 64 bits.
inline std::optional<AddressForm> addressFormOf(const Encoding& code, Space space,
                                                unsigned uniformAt, unsigned wideFlag) {
  constexpr unsigned plain = 1, withUniform = 4;
  const bool isLong = space == Space::Global || space == Space::Generic;
  const bool hasUniform = code.bit(91);
  AddressForm made{.space = space,
                   .base = std::uint8_t(code.bits(24, 8)),
                   .offset = std::int32_t(code.signedBits(40, 24))};
  if ((code.form() != plain && code.form() != withUniform) || code.bit(72) != isLong)
    return {};
  if (hasUniform && (code.form() == plain || (isLong && !code.bit(wideFlag))))
    return {};
  if (hasUniform && !isLong)
    made.uniform = std::uint8_t(code.bits(uniformAt, 6));
  return made;
}

} // namespace heddle::sassrun
