// SPDX-License-Identifier: Apache-2.0
//
// Device memory lies in our process, so host code that follows a device pointer works here and
// crashes where there is a GPU. Between two calls of the API the pages of device memory are
// therefore closed; the first touch opens them for good and is noted. It costs two system calls for
// each region and call, and stops where that would be more than a little of the program's time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace heddle::cudart {

class HostGuard {
public:
  static HostGuard& instance();

  /// Where a signal handler of ours asks `answer`; before that nothing is closed.
  void enable() { enabled_ = true; }
  /// Whether another region could be guarded: its pages then hold nothing else.
  bool wantsMore() const { return enabled_ && count_ < mostRanges; }

  void add(void* begin, std::size_t length);
  void remove(void* begin);

  void open();
  void close();

  /// In a signal handler: opens all, if the address is guarded, and says so.
  bool answer(const void* address, const void* instruction);

  struct Touch {
    const void* address = nullptr;
    const void* instruction = nullptr;
  };
  /// The first one; nothing where there was none.
  Touch touch() const { return {address_, instruction_}; }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t mostRanges = 512;

  struct Range {
    std::byte* begin = nullptr;
    std::size_t length = 0;
  };

  void protect(int access);

  std::atomic<bool> enabled_ = false;
  std::atomic<bool> closed_ = false;
  std::atomic<std::size_t> count_ = 0;
  std::array<Range, mostRanges> ranges_ = {};
  std::atomic<const void*> address_ = nullptr, instruction_ = nullptr;
  std::uint64_t closings_ = 0;
  Clock::duration spent_ = {};
  Clock::time_point begin_ = Clock::now();
};

/// While one lives, device memory is open.
class OpenMemory {
public:
  OpenMemory() { HostGuard::instance().open(); }
  OpenMemory(const OpenMemory&) = delete;
  ~OpenMemory() { HostGuard::instance().close(); }
};

} // namespace heddle::cudart
