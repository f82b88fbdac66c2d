// SPDX-License-Identifier: Apache-2.0
//
// The kernels of bench/engine/kernels with data to run them on.
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/DeviceMemory.h"
#include "engine/Launch.h"
#include "support/Error.h"

#include <cstddef>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace heddle::bench {

struct Extent {
  int x, y;
};

/// Buffers begin as cudaMalloc's do: the sectors that a kernel touches depend on it.
template <class T> struct DeviceAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{256};

  DeviceAllocator() = default;
  template <class U> DeviceAllocator(const DeviceAllocator<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* place, std::size_t) { ::operator delete(place, alignment); }
  bool operator==(const DeviceAllocator&) const = default;
};
using Bytes = std::vector<std::byte, DeviceAllocator<std::byte>>;

/// A kernel's launch: its buffers, the first one being the result, and its scalars after them.
struct Case {
  Extent grid, block;
  std::vector<Bytes> buffers;
  std::vector<Bytes> scalars;
  bool isFloat = false;
  /// A square texture of floats in buffers[1], of so many texels a side; the kernel's last argument
  /// is its object. 0 for none.
  int textureSize = 0;
};

/// By the name of the kernel's file.
std::map<std::string, std::function<Case()>> cases();

/// How the case is launched; `memory` gets to know its buffers, which the kernel writes to.
engine::LaunchRequest requestOf(const engine::CompiledKernel& kernel, Case& data,
                                engine::DeviceMemory& memory);

/// A measurement cannot go on without its kernel: says why and ends with status 2.
[[noreturn]] void die(const std::string& message);

template <class T> T need(Expected<T> value) {
  if (!value)
    die(value.error().message);
  return std::move(*value);
}

} // namespace heddle::bench
