// SPDX-License-Identifier: Apache-2.0
//
// Which threads touched which bytes, as far as needed to tell whether they depend on each other:
// two threads conflict where both touch a byte, unless both only read it or both only change it by
// atomics.
//
// Two witnesses a cell are enough. As long as there is no conflict, a byte belongs to one thread,
// or only to readers, or only to atomics:
//
//   one thread that writes           its write: whoever comes next conflicts with it
//   one thread that reads, changes   one of each
//   many readers, many atomics       two of them: one is not the thread that comes next
//
// A cell is four bytes until somebody touches less, then one byte.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::engine {

enum class TouchKind : std::uint8_t { None, Read, Write, Atomic };

struct Touch {
  std::uint64_t thread : 40 = 0; ///< of the launch
  std::uint64_t site : 22 = 0;   ///< fault site
  TouchKind kind : 2 = TouchKind::None;

  Touch() = default;
  Touch(std::uint64_t thread, std::uint64_t site, TouchKind kind)
      : thread(thread), site(site), kind(kind) {}
};
static_assert(sizeof(Touch) == 8);

struct TouchConflict {
  std::uint64_t address = 0;
  Touch first;
  Touch second;
};

class TouchedBytes {
public:
  /// The conflict with an earlier touch, if there is one.
  std::optional<TouchConflict> add(std::uint64_t address, unsigned bytes, Touch touch);

  void clear();

private:
  static constexpr std::uint64_t pageBytes = 1024;
  static constexpr std::uint64_t wordBytes = 4;

  using Cell = std::array<Touch, 2>;
  struct Page {
    std::vector<Cell> cells = std::vector<Cell>(pageBytes / wordBytes);
    std::uint64_t cellBytes = wordBytes;
  };

  static void splitWords(Page& page);
  static const Touch* addTo(Cell& cell, Touch touch);
  Page& pageOf(std::uint64_t number);

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t lastNumber_ = 0;
  Page* last_ = nullptr;
};

} // namespace heddle::engine
