// SPDX-License-Identifier: Apache-2.0
//
// Numbers for sectors; those of one line follow each other, lines come in the order of their use:
// open addressing in one piece of memory, as a scattered access asks for 32 of them.
#pragma once

#include "profile/KernelTrace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::engine {

class SectorNumbers {
public:
  void clear() {
    if (count_ > 0)
      slots_.assign(slots_.size(), {});
    count_ = 0;
  }

  struct Number {
    std::uint32_t number;
    bool isNew;
  };
  Number numberOf(std::uint64_t sector) {
    if (2 * std::size_t(count_ + 1) > slots_.size())
      grow();
    Slot& slot = find(sector / profile::sectorsOfALine + 1); // zero is an empty slot
    if (slot.key == 0)
      slot = {sector / profile::sectorsOfALine + 1, count_++, 0};
    const auto place = std::uint32_t(sector % profile::sectorsOfALine);
    const bool isNew = (slot.used >> place & 1U) == 0;
    slot.used |= 1U << place;
    return {slot.number * profile::sectorsOfALine + place, isNew};
  }

  /// No number is that large.
  std::uint32_t end() const { return count_ * profile::sectorsOfALine; }

private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0; ///< of the line
    std::uint32_t used = 0;   ///< a bit for each of its sectors
  };

  /// Where it is, or has to go.
  Slot& find(std::uint64_t key) {
    const std::size_t last = slots_.size() - 1;
    for (std::size_t at = (key * 0x9e3779b97f4a7c15u >> 32) & last;; at = (at + 1) & last)
      if (slots_[at].key == key || slots_[at].key == 0)
        return slots_[at];
  }

  void grow() {
    constexpr std::size_t least = 1024;
    std::vector<Slot> old(slots_.empty() ? least : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0)
        find(slot.key) = slot;
  }

  std::vector<Slot> slots_; ///< a power of two of them, at most half full
  std::uint32_t count_ = 0;
};

} // namespace heddle::engine
