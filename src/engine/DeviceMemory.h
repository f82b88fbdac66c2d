// SPDX-License-Identifier: Apache-2.0
//
// The memory that kernels may touch: what the program allocated, by address. It lies in our own
// process; the map knows which of it is live.
#pragma once

#include "engine/FixedMemory.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heddle::engine {

/// A live or once live piece of memory.
struct Allocation {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::string what;        ///< "cudaMalloc", "variable 'table'": for messages
  std::uint64_t place = 0; ///< where it begins in the modelled device's memory
  bool onHost = false;     ///< it stays with the host: device code reaches it over the bus

  std::uint64_t placeOf(std::uint64_t address) const { return place + (address - begin); }
};

/// Places in the modelled device's memory: the first that is free and large enough. Where the host
/// has put an allocation is another address in every run; what caches hold must not depend on it.
class DevicePlaces {
public:
  /// One whose distance from a line of the caches is that of the address.
  std::uint64_t take(std::uint64_t address, std::uint64_t size);
  void giveBack(std::uint64_t place, std::uint64_t size);

private:
  std::map<std::uint64_t, std::uint64_t> free_; ///< bytes by begin; none lie side by side
  std::uint64_t end_ = 0;                       ///< all behind it is free
};

/// What device code allocates with malloc and new. Any thread may use it.
class DeviceHeap {
public:
  DeviceHeap() = default;
  DeviceHeap(const DeviceHeap&) = delete;
  ~DeviceHeap();

  /// Nullptr when the limit is reached, as on a GPU.
  void* allocate(std::size_t size);
  bool release(const void* begin);
  std::optional<Allocation> find(std::uint64_t address, std::uint64_t size) const;
  void setLimit(std::size_t bytes) { limit_ = bytes; }

private:
  void drop(std::uint64_t begin, std::size_t size);

  mutable std::mutex mutex_;
  FixedMemory memory_{FixedMemory::ofDeviceHeap};
  std::map<std::uint64_t, std::size_t> pieces_;
  std::atomic<bool> used_ = false; ///< most programs never ask
  std::size_t bytes_ = 0;
  std::size_t limit_ = std::size_t{8} << 20;
};

/// Not for use by two threads at once; a launch only reads it, and uses the heap.
class DeviceMemory {
public:
  DeviceHeap& heap() const { return *heap_; }

  void add(const void* begin, std::size_t size, std::string what, bool onHost = false);

  /// Forgets a live allocation, but remembers that it was there. False if there is none that begins
  /// here.
  bool remove(const void* begin);

  /// The live allocation that holds `size` bytes from an address.
  const Allocation* find(std::uint64_t address, std::uint64_t size) const;

  /// The live allocation at or before an address, and the one after it, for messages.
  const Allocation* before(std::uint64_t address) const;
  const Allocation* after(std::uint64_t address) const;

  /// The latest freed allocation that held an address.
  const Allocation* freed(std::uint64_t address) const;

  std::size_t liveBytes() const { return liveBytes_; }

private:
  std::map<std::uint64_t, Allocation> live_; ///< by first address
  DevicePlaces places_;
  std::vector<Allocation> freed_; ///< the latest, in order
  std::size_t liveBytes_ = 0;
  std::shared_ptr<DeviceHeap> heap_ = std::make_shared<DeviceHeap>();
};

} // namespace heddle::engine
