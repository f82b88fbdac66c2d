// SPDX-License-Identifier: Apache-2.0
//
// A folder of our own that is gone afterwards.
#pragma once

#include "support/Error.h"

#include <filesystem>

namespace heddle {

class TemporaryFolder {
public:
  static Expected<TemporaryFolder> make();

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

} // namespace heddle
