// SPDX-License-Identifier: Apache-2.0
//
// Sums of floats that the running blocks of one worker have made and not yet added to memory.
// Floats are rounded, so that the order of additions decides what comes out; workers that add when
// they come by would leave something else every time. So a block that runs beside others keeps its
// additions, and they take effect in the order of blocks, as with one worker (BlockSequence.h).
//
// A block may read what it has added: the allocations are known in which something is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::engine {

class LaterSums {
public:
  /// When a block has so many, it waits for its turn.
  static constexpr std::size_t most = std::size_t{1} << 20;

  struct Sum {
    std::uint64_t address;
    std::uint64_t value; ///< the bits of a float or double
    std::uint32_t bytes;
  };

  void add(const Sum& sum) { sums_.push_back(sum); }
  std::size_t count() const { return sums_.size(); }

  /// Whether something is kept for the allocation that begins here.
  bool has(std::uint64_t allocation) const {
    return std::ranges::find(allocations_, allocation) != allocations_.end();
  }
  void note(std::uint64_t allocation, std::uint64_t size) {
    allocations_.push_back(allocation);
    last_ = {allocation, size};
  }
  /// Whether an address is in the allocation that was noted last, and there is room.
  bool takes(std::uint64_t address) const {
    return address - last_.begin < last_.size && sums_.size() < most;
  }

  /// Adds all to memory.
  void settle();

  static void settle(const Sum& sum);

private:
  std::vector<Sum> sums_;
  std::vector<std::uint64_t> allocations_; ///< by their begin
  struct Range {
    std::uint64_t begin = 0, size = 0;
  } last_;
};

} // namespace heddle::engine
