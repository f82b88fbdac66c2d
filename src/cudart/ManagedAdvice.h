// SPDX-License-Identifier: Apache-2.0
//
// What a program has said of its managed memory: hints change no result here, but it may ask for
// them. Kept for stretches of addresses, since a hint may be of a part of an allocation.
#pragma once

#include "cudart/CudaTypes.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace heddle::cudart {

struct Advice {
  bool readMostly = false;
  bool fromDevice = false; ///< cudaMemAdviseSetAccessedBy
  bool fromHost = false;
  int preferred = cudaInvalidDeviceId;
  int prefetched = cudaInvalidDeviceId;
};

class ManagedAdvice {
public:
  /// Calls `change(Advice&)` for every stretch of a range.
  template <class Change> void apply(const void* begin, std::size_t size, Change change) {
    const auto first = cut(addressOf(begin)), last = cut(addressOf(begin) + size);
    for (auto at = first; at != last; ++at)
      change(at->second);
  }

  /// What holds for all of a range; a place that differs in it is none.
  Advice ask(const void* begin, std::size_t size) const;

  void forget(const void* begin, std::size_t size) {
    apply(begin, size, [](Advice& advice) { advice = {}; });
  }
  void clear() { stretches_ = {{0, Advice{}}}; }

private:
  using Stretches = std::map<std::uintptr_t, Advice>; ///< by their first address

  static std::uintptr_t addressOf(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
  /// The stretch that begins at an address, from now on.
  Stretches::iterator cut(std::uintptr_t address);

  Stretches stretches_ = {{0, Advice{}}};
};

/// As cudaMemRangeGetAttribute writes it. False where the size does not fit the attribute.
bool writeAdvice(const Advice& advice, cudaMemRangeAttribute attribute, void* data,
                 std::size_t size);

} // namespace heddle::cudart
