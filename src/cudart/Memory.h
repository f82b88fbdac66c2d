// SPDX-License-Identifier: Apache-2.0
//
// All memory that the program has from us or has shown to us: what is where, and of which kind.
// The engine's DeviceMemory is kept in step, so that kernels may touch exactly what is live here.
#pragma once

#include "cudart/RawMemory.h"
#include "engine/DeviceMemory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace heddle::cudart {

enum class MemoryKind {
  Device,
  Managed,
  Pinned,     ///< cudaMallocHost, cudaHostAlloc
  Registered, ///< the program's own, shown with cudaHostRegister
  Variable,   ///< __device__ or __constant__
};

struct Region {
  std::byte* begin = nullptr;
  std::size_t size = 0;
  MemoryKind kind = MemoryKind::Device;
  unsigned flags = 0;     ///< of cudaHostAlloc and cudaHostRegister
  RawBlock block;         ///< empty for what is not ours
  std::string name;       ///< "cudaMalloc #3", "variable 'x'"
  int number = 0;         ///< the 3 of it
  std::uint64_t made = 0; ///< how many were made before
  bool constant = false;  ///< a variable that nobody can write
};

/// Learns of regions as they come and go, and of functions; a region that goes still holds its
/// content.
class MemoryObserver {
public:
  virtual void made(const Region& region) = 0;
  virtual void freed(const Region& region) = 0;

protected:
  ~MemoryObserver() = default;
};

/// What a range of addresses is to a copy.
enum class RangeKind {
  Pageable, ///< plain host memory
  Known,    ///< inside one live region
  Outside,  ///< begins in a region, or right behind one, and does not stay inside
};

class Memory {
public:
  /// `capacity`: bytes of device memory that the modelled GPU has.
  Memory(std::uint64_t capacity, bool poison) : capacity_(capacity), poison_(poison) {}
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// `function` is named in messages: "cudaMalloc #3 (1000 bytes)". Nullptr when it does not fit.
  void* allocate(MemoryKind kind, std::size_t size, std::string_view function, unsigned flags = 0);

  /// False where a region overlaps.
  bool addRegistered(void* begin, std::size_t size, unsigned flags);
  void addVariable(std::byte* begin, std::size_t size, const std::string& name,
                   bool constant = false, bool managed = false);

  /// Only the observer learns of it: device code cannot read a function.
  void addFunction(std::byte* handle, const std::string& name) const;

  /// False unless a region of this kind begins there.
  bool release(const void* begin, MemoryKind kind);
  void releaseAll();

  /// The region that holds an address.
  const Region* find(const void* address) const;
  RangeKind classify(const void* begin, std::size_t size) const;

  /// One that outlives this.
  void observe(MemoryObserver& observer) { observer_ = &observer; }
  /// Live regions by address.
  const std::map<std::uintptr_t, Region>& regions() const { return regions_; }

  const engine::DeviceMemory& live() const { return live_; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }

private:
  using Regions = std::map<std::uintptr_t, Region>;

  void add(const Region& region);
  void drop(Regions::iterator region);
  bool overlaps(std::uintptr_t begin, std::size_t size) const;
  Regions::const_iterator atOrBefore(const void* address) const;

  std::uint64_t capacity_;
  bool poison_;
  std::uint64_t used_ = 0;                         ///< device and managed
  std::uint64_t made_ = 0;                         ///< regions, for the whole run
  Regions regions_;                                ///< by first address
  std::map<std::string, int, std::less<>> counts_; ///< allocations by function, for the whole run
  engine::DeviceMemory live_;
  MemoryObserver* observer_ = nullptr;
};

} // namespace heddle::cudart
