// SPDX-License-Identifier: Apache-2.0
//
// Integer sums that one worker has not added to device memory yet. Atomic additions of several
// workers to the same few counters, a histogram's, would hand cache lines back and forth at every
// addition. So a worker adds to a mirror of the allocation, at the same distance from its begin,
// and to the memory itself when it has no more to do.
//
// Nobody can tell in a kernel whose atomics are all additions of integers that no one reads the
// result of, and which has no fence and no volatile access: its blocks have no way to wait for each
// other. The worker's own other accesses could: the first one to the allocation ends it (see
// BlockRun::findRange).
#pragma once

#include "engine/WarpContext.h"

#include <llvm/IR/Function.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::engine {

/// Whether the workers of a kernel may keep sums to themselves. It comes first, what it calls too.
bool maySumPrivately(const std::vector<llvm::Function*>& functions);

class PrivateSums {
public:
  /// Of an allocation. Larger ones are not fought over.
  static constexpr std::uint64_t mostBytes = 64 * 1024;

  /// What compiled code looks at.
  SumRange& range() { return range_; }

  /// Mirrors an allocation from now on, for additions to words of so many bytes, 4 or 8. What is in
  /// the way was given back.
  void start(std::uint64_t begin, std::uint64_t size, unsigned wordBytes);

  bool mirrors(std::uint64_t begin) const { return mirror_ != nullptr && range_.begin == begin; }

  /// Adds to memory what has come together.
  void giveBack();

  /// Gives back, and mirrors nothing any more.
  void end();

private:
  SumRange range_;
  unsigned wordBytes_ = 0;
  std::unique_ptr<std::uint64_t[]> mirror_;
};

} // namespace heddle::engine
