// SPDX-License-Identifier: Apache-2.0
//
// One sweep at a time works on a file: two would run the same points. The lock is a file beside it
// that the system lets go of however the process ends.
#pragma once

#include "support/Error.h"

#include <filesystem>
#include <utility>

namespace heddle::sweep {

class SweepLock {
public:
  /// Refused where another sweep has it.
  static Expected<SweepLock> take(const std::filesystem::path& database);

  SweepLock(SweepLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  SweepLock& operator=(SweepLock&&) = delete;
  ~SweepLock();

private:
  explicit SweepLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

} // namespace heddle::sweep
