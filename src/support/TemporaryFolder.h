// SPDX-License-Identifier: Apache-2.0
//
// A folder of our own that is gone afterwards, also when a signal ends us.
#pragma once

#include "support/Error.h"
#include "support/StopSignals.h"

#include <filesystem>

namespace heddle {

class TemporaryFolder {
public:
  static Expected<TemporaryFolder> make();

  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), onStop_(std::move(other.onStop_)) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)), onStop_(path_) {}

  std::filesystem::path path_;
  RemovedOnStop onStop_;
};

} // namespace heddle
