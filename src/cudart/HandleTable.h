// SPDX-License-Identifier: Apache-2.0
//
// Opaque handles of the API. A handle is a number dressed as a pointer and is never used twice, so
// that a destroyed one is always recognised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace heddle::cudart {

template <class Handle, class Value> class HandleTable {
public:
  Handle create(Value value) {
    next_ += step;
    values_.emplace(next_, std::move(value));
    return reinterpret_cast<Handle>(next_);
  }

  /// Nothing for a handle that was never made or is destroyed.
  Value* find(Handle handle) {
    const auto found = values_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == values_.end() ? nullptr : &found->second;
  }

  bool destroy(Handle handle) {
    return values_.erase(reinterpret_cast<std::uintptr_t>(handle)) > 0;
  }

  void clear() { values_.clear(); }

private:
  static constexpr std::uintptr_t step = 16; ///< above cudaStreamLegacy and cudaStreamPerThread

  std::map<std::uintptr_t, Value> values_;
  std::uintptr_t next_ = 0x10000;
};

} // namespace heddle::cudart
