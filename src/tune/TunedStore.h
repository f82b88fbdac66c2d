// SPDX-License-Identifier: Apache-2.0
//
// What tuning found, for good: one row for each kernel, source, device and size, in a SQLite file
// that cuda/include/heddle/tuned.h reads as well.
#pragma once

#include "database/Database.h"
#include "tune/Configuration.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heddle::tune {

struct TunedKernel {
  std::string kernel; ///< its plain name, as the source has it
  std::string id;     ///< as profile::KernelProfile has it
  std::string file;   ///< that defines it, with its whole path
  std::string source; ///< hash of all files of the program, and of its flags
  std::string device; ///< name in the catalogue, or of a GPU that is in none
  std::uint64_t size = 0;
  profile::Extent block = {1, 1, 1}; ///< of the launch, changed or not
  Configuration configuration;
  double seconds = 0, ownSeconds = 0;
  double gain = 1, low = 1, high = 1; ///< nine of ten true gains lie between the last two
  bool onGpu = false;                 ///< measured, not modelled
  bool byProgram = false;             ///< its own code asks for the block, by heddle::tuned()
  std::string arguments;              ///< of the program
  std::string version;                ///< of heddle
  std::string when;                   ///< UTC
};

/// What rows to take: empty texts are any.
struct TunedFilter {
  std::string kernel, device, source;
  std::optional<std::uint64_t> size{};
};

class TunedStore {
public:
  /// HEDDLE_TUNED, or tuned.db in $XDG_DATA_HOME/heddle or ~/.local/share/heddle.
  static Expected<std::filesystem::path> defaultPath();

  /// Makes the file, and its folder, where there is none.
  static Expected<TunedStore> open(const std::filesystem::path& path);
  /// Nothing where there is no such file.
  static Expected<std::optional<TunedStore>> openToRead(const std::filesystem::path& path);

  /// In place of what is known of the same kernel, source, device and size; all or none.
  Expected<void> keep(const std::vector<TunedKernel>& kernels);
  /// Ordered by kernel, device, size, the newest first.
  Expected<std::vector<TunedKernel>> find(const TunedFilter& filter) const;
  /// How many rows went.
  Expected<std::int64_t> forget(const TunedFilter& filter);

private:
  explicit TunedStore(database::Database file) : file_(std::move(file)) {}

  database::Database file_;
};

/// That of the size nearest by its ratio, of equals the first; nullptr: there is none.
const TunedKernel* nearestSize(const std::vector<TunedKernel>& kernels, std::uint64_t size);

} // namespace heddle::tune
