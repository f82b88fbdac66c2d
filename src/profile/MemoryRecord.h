// SPDX-License-Identifier: Apache-2.0
//
// The memory record of a run: what its device memory held wherever the host could see it. In order
// of the run: regions made and freed, copies to the host, and what is left when the device is reset
// or the program ends.
//
// The file, little end first: "HEDDLEMR", the version as 32 bits, entries. An entry is its kind and
// the length of its name as 32 bits each, eight numbers of 64 bits in the order of RecordEntry, the
// name, then the content in chunks: how many bytes and how they are stored as 32 bits each (a value
// below 256: all bytes are that one, 256: they follow). A record without an Ended entry is of a run
// that was killed.
#pragma once

#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::profile {

enum class RecordKind : std::uint32_t {
  Made = 1, ///< a region: no content
  Freed,    ///< content where the host could read it in place
  Copied,   ///< from a region to the host
  Left,     ///< live at the end of the run, or when the program reset the device
  Wrote,    ///< the name says who wrote the watched byte last; before the copies that hold it
  Ended,    ///< the name is the fault that stopped the run, or empty: no content
};

/// Rows of a pitched copy, one after the other in the content.
struct RowShape {
  std::uint64_t width = 0;  ///< bytes of a row; 0 where the content is one piece
  std::uint64_t height = 1; ///< rows of a slice
  std::uint64_t pitch = 0;  ///< bytes from row to row in the region
  std::uint64_t slice = 0;  ///< bytes from slice to slice

  /// Where a byte of the content lies, from the first one.
  std::uint64_t offsetOf(std::uint64_t byte) const;
};

struct RecordEntry {
  RecordKind kind = RecordKind::Ended;
  std::string region; ///< "cudaMalloc #3": the third of the run; "variable 'x'"
  std::uint64_t address = 0;
  std::uint64_t regionSize = 0;
  std::uint64_t offset = 0; ///< of the content in the region
  RowShape rows;
  std::uint64_t size = 0; ///< of the content
};

class RecordWriter {
public:
  static Expected<RecordWriter> create(const std::filesystem::path& path);

  void begin(const RecordEntry& entry);
  /// More of the content of the entry begun last.
  void append(std::span<const std::byte> bytes);
  /// Everything is in the file, or the reason why not.
  Expected<void> finish();

private:
  explicit RecordWriter(std::filesystem::path path) : path_(std::move(path)) {}
  void flushChunk();
  void put(const void* data, std::size_t bytes);

  std::filesystem::path path_;
  std::ofstream file_;
  std::vector<std::byte> chunk_;
};

class RecordReader {
public:
  static Expected<RecordReader> open(const std::filesystem::path& path);

  /// Nothing behind the last one. Content that nobody read is skipped.
  Expected<std::optional<RecordEntry>> next();
  /// The next bytes of the entry's content, as many as fit and are left.
  Expected<std::size_t> read(std::span<std::byte> to);

private:
  explicit RecordReader(std::filesystem::path path) : path_(std::move(path)) {}
  Expected<void> nextChunk();
  Expected<void> get(void* to, std::size_t bytes);
  Error cutShort() const;

  std::filesystem::path path_;
  std::ifstream file_;
  std::vector<std::byte> chunk_;
  std::size_t used_ = 0;   ///< of the chunk
  std::uint64_t left_ = 0; ///< of the content, behind the chunk
};

/// Who had written the watched byte last when the n-th copy to the host was made, or for 0 at the
/// end: "a.cu:3: kernel 'k', block (0,0,0), thread (5,0,0)". Nothing where that copy does not hold
/// the byte, or nobody watched.
Expected<std::optional<std::string>> writerOf(const std::filesystem::path& record,
                                              std::uint64_t copy);

} // namespace heddle::profile
