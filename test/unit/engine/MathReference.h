// SPDX-License-Identifier: Apache-2.0
//
// Device math in plain C++, one number at a time, and the edge cases to try it on.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heddle::engine {

enum class Kind { Float, Double, Int16, UInt16, Int32, UInt32, Int64, UInt64 };

/// Operands of a call, each with its bits in the low end of 64.
using Tuple = std::array<std::uint64_t, 3>;

struct Reference {
  std::vector<Kind> operands;
  Kind result;
  std::uint64_t ulps = 0; ///< how far off a result may be
  std::function<std::uint64_t(const Tuple&)> call;
};

std::size_t sizeOf(Kind kind);

/// A reference for every function of VectorMath, and for some with .ftz.
std::map<std::string, Reference> vectorReferences();

/// Every combination of the edge cases of two operands; a mixture for one and three. Then random
/// bits.
std::vector<Tuple> edgeCases(const std::vector<Kind>& operands);

/// Equal, both NaN, or as near as the reference says.
bool isClose(const Reference& reference, std::uint64_t found, std::uint64_t expected);

std::string describe(const Reference& reference, const Tuple& operands, std::uint64_t found,
                     std::uint64_t expected);

template <class T> std::uint64_t toBits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T> T fromBits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace heddle::engine
