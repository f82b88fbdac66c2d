// SPDX-License-Identifier: Apache-2.0
//
// A set of sector numbers that only grows: open addressing in one piece of memory, as a scattered
// access asks for 32 of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::engine {

class SectorSet {
public:
  void clear() {
    if (count_ > 0)
      slots_.assign(slots_.size(), 0);
    count_ = 0;
  }

  /// Whether it was not there yet.
  bool insert(std::uint64_t sector) {
    if (2 * (count_ + 1) > slots_.size())
      grow();
    if (!place(sector + 1)) // zero is an empty slot
      return false;
    ++count_;
    return true;
  }

  std::size_t size() const { return count_; }

private:
  bool place(std::uint64_t key) {
    const std::size_t last = slots_.size() - 1;
    for (std::size_t at = (key * 0x9e3779b97f4a7c15u >> 32) & last;; at = (at + 1) & last) {
      if (slots_[at] == key)
        return false;
      if (slots_[at] == 0) {
        slots_[at] = key;
        return true;
      }
    }
  }

  void grow() {
    constexpr std::size_t least = 1024;
    std::vector<std::uint64_t> old(slots_.empty() ? least : 2 * slots_.size());
    old.swap(slots_);
    for (const std::uint64_t key : old)
      if (key != 0)
        place(key);
  }

  std::vector<std::uint64_t> slots_; ///< a power of two of them, at most half full
  std::size_t count_ = 0;
};

} // namespace heddle::engine
