// SPDX-License-Identifier: Apache-2.0
//
// Memory pools. Which allocations share memory changes no result, so a pool is a handle that counts
// what was taken from it, as its attributes tell a program.
#pragma once

#include "cudart/CudaTypes.h"
#include "cudart/HandleTable.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace heddle::cudart {

struct Pool {
  int followEvents = 1, opportunistic = 1, internalDependencies = 1; ///< no order is ever changed
  std::uint64_t releaseThreshold = 0;
  std::uint64_t used = 0, usedHigh = 0;
  std::uint64_t reserved = 0, reservedHigh = 0;
};

class Pools {
public:
  cudaMemPool_t create() { return pools_.create({}); }
  /// False for the device's own pool, which stays, and for what is none.
  bool destroy(cudaMemPool_t pool);
  Pool* find(cudaMemPool_t pool) { return pools_.find(pool); }

  /// The device's own; made when it is asked for.
  cudaMemPool_t preset();
  /// What cudaMallocAsync takes from.
  cudaMemPool_t current() { return current_ == nullptr ? preset() : current_; }
  void setCurrent(cudaMemPool_t pool) { current_ = pool; }

  void took(cudaMemPool_t pool, const void* begin, std::size_t size);
  /// Of any memory; only what came from a pool goes back to one.
  void gaveBack(const void* begin);
  /// Leaves no more in reserve than what is used and `least` bytes.
  static void trim(Pool& pool, std::uint64_t least);

  void clear();

private:
  struct Block {
    cudaMemPool_t pool = nullptr;
    std::size_t size = 0;
  };

  HandleTable<cudaMemPool_t, Pool> pools_;
  std::map<const void*, Block> blocks_;
  cudaMemPool_t preset_ = nullptr;
  cudaMemPool_t current_ = nullptr;
};

} // namespace heddle::cudart
