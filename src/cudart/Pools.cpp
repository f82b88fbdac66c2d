// SPDX-License-Identifier: Apache-2.0
#include "cudart/Pools.h"

#include <algorithm>

namespace heddle::cudart {
namespace {

/// A GPU's pools grow by whole pieces of this size.
constexpr std::uint64_t piece = std::uint64_t{32} << 20;

std::uint64_t wholePieces(std::uint64_t bytes) {
  return (bytes + piece - 1) / piece * piece;
}

} // namespace

bool Pools::destroy(cudaMemPool_t pool) {
  if (pool == preset_ || !pools_.destroy(pool))
    return false;
  if (current_ == pool)
    current_ = nullptr;
  return true;
}

cudaMemPool_t Pools::preset() {
  if (preset_ == nullptr)
    preset_ = create();
  return preset_;
}

void Pools::took(cudaMemPool_t pool, const void* begin, std::size_t size) {
  Pool* const known = find(pool);
  if (known == nullptr || begin == nullptr)
    return;
  blocks_[begin] = {pool, size};
  known->used += size;
  known->usedHigh = std::max(known->usedHigh, known->used);
  known->reserved = std::max(known->reserved, wholePieces(known->used));
  known->reservedHigh = std::max(known->reservedHigh, known->reserved);
}

void Pools::gaveBack(const void* begin) {
  const auto found = blocks_.find(begin);
  if (found == blocks_.end())
    return;
  if (Pool* const pool = find(found->second.pool)) { // it may be destroyed by now
    pool->used -= found->second.size;
    trim(*pool, pool->releaseThreshold);
  }
  blocks_.erase(found);
}

void Pools::trim(Pool& pool, std::uint64_t least) {
  pool.reserved = std::max(wholePieces(pool.used), std::min(pool.reserved, least));
}

void Pools::clear() {
  pools_.clear();
  blocks_.clear();
  preset_ = nullptr;
  current_ = nullptr;
}

} // namespace heddle::cudart
