// SPDX-License-Identifier: Apache-2.0
//
// What clang made of a source file, kept by content. An entry is one file: its key and a checksum
// of all that follows, the files the compiler read, each with the hash of its content, then what it
// printed and what it wrote. A lookup reads those files again, so a changed header is seen whatever
// its date says; an entry that is damaged or another's is none. docs/design/running.md.
//
// Several processes may use one folder: entries are written whole and renamed into place, and who
// uses files of it in place says so with a CacheUse.
#pragma once

#include "support/Error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::frontend {

struct CachedResult {
  std::string content;
  std::string diagnostics; ///< what the compiler printed, shown again on every hit
};

struct CacheState {
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
};

class CompileCache {
public:
  static constexpr std::uintmax_t defaultLimit = std::uintmax_t{1} << 30;

  /// $XDG_CACHE_HOME/heddle, or ~/.cache/heddle; nothing where neither is known, or where others
  /// could have put something there.
  static std::optional<std::filesystem::path> defaultFolder();

  /// Where the cache would be, and what is wrong with that: it is not ours, or others can write it.
  /// An empty path: neither variable is set.
  struct Place {
    std::filesystem::path folder;
    std::string complaint; ///< empty: none
  };
  static Place defaultPlace();

  explicit CompileCache(std::filesystem::path folder, std::uintmax_t limit = defaultLimit)
      : folder_(std::move(folder)), limit_(limit) {}

  const std::filesystem::path& folder() const { return folder_; }

  std::optional<CachedResult> find(const std::string& key) const;

  /// Keeps a result, unless a file it was made of has changed since `started`. That it cannot be
  /// written is no error: the next run compiles again.
  void store(const std::string& key, const CachedResult& result,
             const std::vector<std::filesystem::path>& dependencies,
             std::filesystem::file_time_type started) const;

  CacheState state() const;
  /// All entries; the headers only where nobody uses them. A file that goes meanwhile is fine.
  Expected<void> clear() const;

private:
  struct Entry;

  std::filesystem::path entryFolder() const { return folder_ / "entries"; }
  std::vector<Entry> entries() const;
  void dropOldest() const;

  std::filesystem::path folder_;
  std::uintmax_t limit_;
  // What the entries take, with ours alone added since they were counted: a program with hundreds
  // of kernels stores hundreds of entries.
  mutable bool counted_ = false;
  mutable std::uintmax_t bytes_ = 0;
};

/// While one lives, clearing the cache leaves its headers alone.
class CacheUse {
public:
  explicit CacheUse(const std::filesystem::path& folder);
  CacheUse(CacheUse&& other) noexcept : lock_(std::exchange(other.lock_, -1)) {}
  CacheUse& operator=(CacheUse&&) = delete;
  ~CacheUse();

private:
  int lock_; ///< a descriptor; -1: none
};

/// The files named in what clang -MD wrote, without the target.
std::vector<std::filesystem::path> parseDependencies(std::string_view makeRule);

} // namespace heddle::frontend
