// SPDX-License-Identifier: Apache-2.0
//
// A folder of our own that is gone afterwards, also when a signal ends us.
#pragma once

#include "support/Error.h"
#include "support/StopSignals.h"

#include <filesystem>
#include <string_view>

namespace heddle {

class TemporaryFolder {
public:
  static Expected<TemporaryFolder> make();

  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), onStop_(std::move(other.onStop_)) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

  /// Whether a file lies in one of this process that lives.
  static bool holds(std::string_view file);

private:
  explicit TemporaryFolder(std::filesystem::path path);

  std::filesystem::path path_;
  RemovedOnStop onStop_;
};

} // namespace heddle
