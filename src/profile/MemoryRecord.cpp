// SPDX-License-Identifier: Apache-2.0
#include "profile/MemoryRecord.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace heddle::profile {
namespace {

static_assert(std::endian::native == std::endian::little, "the record is written as it lies");

constexpr std::string_view magic = "HEDDLEMR";
constexpr std::uint32_t version = 1;
constexpr std::size_t chunkBytes = std::size_t{1} << 16;
constexpr std::uint32_t stored = 256; ///< of a chunk that is not all one byte
constexpr std::uint32_t longestName = 1 << 16;

struct EntryHead {
  std::uint32_t kind;
  std::uint32_t nameLength;
  std::array<std::uint64_t, 8> numbers;
};

struct ChunkHead {
  std::uint32_t bytes;
  std::uint32_t storage;
};

bool isOneByte(const std::vector<std::byte>& chunk) {
  return std::memcmp(chunk.data(), chunk.data() + 1, chunk.size() - 1) == 0;
}

} // namespace

std::uint64_t RowShape::offsetOf(std::uint64_t byte) const {
  if (width == 0)
    return byte;
  const std::uint64_t row = byte / width;
  return row / height * slice + row % height * pitch + byte % width;
}

Expected<RecordWriter> RecordWriter::create(const std::filesystem::path& path) {
  RecordWriter writer(path);
  writer.file_.open(path, std::ios::binary | std::ios::trunc);
  if (!writer.file_)
    return fail(ErrorKind::Io, "cannot write '{}'", path.string());
  writer.chunk_.reserve(chunkBytes);
  writer.put(magic.data(), magic.size());
  writer.put(&version, sizeof version);
  return writer;
}

void RecordWriter::begin(const RecordEntry& entry) {
  flushChunk();
  const EntryHead head = {std::uint32_t(entry.kind),
                          std::uint32_t(entry.region.size()),
                          {entry.address, entry.regionSize, entry.offset, entry.rows.width,
                           entry.rows.height, entry.rows.pitch, entry.rows.slice, entry.size}};
  put(&head, sizeof head);
  put(entry.region.data(), entry.region.size());
}

void RecordWriter::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), chunkBytes - chunk_.size());
    chunk_.insert(chunk_.end(), bytes.begin(), bytes.begin() + std::ptrdiff_t(part));
    if (chunk_.size() == chunkBytes)
      flushChunk();
    bytes = bytes.subspan(part);
  }
}

void RecordWriter::flushChunk() {
  if (chunk_.empty())
    return;
  const bool same = isOneByte(chunk_);
  const ChunkHead head = {std::uint32_t(chunk_.size()), same ? std::uint32_t(chunk_[0]) : stored};
  put(&head, sizeof head);
  if (!same)
    put(chunk_.data(), chunk_.size());
  chunk_.clear();
}

Expected<void> RecordWriter::finish() {
  flushChunk();
  file_.close();
  if (!file_)
    return fail(ErrorKind::Io, "cannot write '{}'", path_.string());
  return {};
}

void RecordWriter::put(const void* data, std::size_t bytes) {
  file_.write(static_cast<const char*>(data), std::streamsize(bytes));
}

Expected<RecordReader> RecordReader::open(const std::filesystem::path& path) {
  RecordReader reader(path);
  reader.file_.open(path, std::ios::binary);
  if (!reader.file_)
    return fail(ErrorKind::Io, "cannot read '{}'", path.string());
  std::array<char, magic.size()> found{};
  std::uint32_t foundVersion = 0;
  HEDDLE_CHECK(reader.get(found.data(), found.size()));
  HEDDLE_CHECK(reader.get(&foundVersion, sizeof foundVersion));
  if (std::string_view(found.data(), found.size()) != magic || foundVersion != version)
    return fail(ErrorKind::BadInput, "{}: expected a memory record of version {}", path.string(),
                version);
  return reader;
}

Expected<std::optional<RecordEntry>> RecordReader::next() {
  while (left_ > 0)
    HEDDLE_CHECK(nextChunk());
  chunk_.clear();
  used_ = 0;
  if (file_.peek() == std::ifstream::traits_type::eof())
    return std::nullopt;
  EntryHead head{};
  HEDDLE_CHECK(get(&head, sizeof head));
  const bool known =
      head.kind >= std::uint32_t(RecordKind::Made) && head.kind <= std::uint32_t(RecordKind::Ended);
  if (!known || head.nameLength > longestName)
    return fail(ErrorKind::BadInput, "{}: an entry of kind {} with a name of {} bytes",
                path_.string(), head.kind, head.nameLength);
  const auto& [address, regionSize, offset, width, height, pitch, slice, size] = head.numbers;
  RecordEntry entry{RecordKind(head.kind),
                    std::string(head.nameLength, ' '),
                    address,
                    regionSize,
                    offset,
                    {width, std::max<std::uint64_t>(height, 1), pitch, slice},
                    size};
  HEDDLE_CHECK(get(entry.region.data(), entry.region.size()));
  left_ = entry.size;
  return entry;
}

Expected<std::size_t> RecordReader::read(std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    if (used_ == chunk_.size()) {
      if (left_ == 0)
        break;
      HEDDLE_CHECK(nextChunk());
    }
    const std::size_t part = std::min(to.size() - done, chunk_.size() - used_);
    std::memcpy(to.data() + done, chunk_.data() + used_, part);
    done += part;
    used_ += part;
  }
  return done;
}

Expected<void> RecordReader::nextChunk() {
  ChunkHead head{};
  HEDDLE_CHECK(get(&head, sizeof head));
  if (head.bytes == 0 || head.bytes > std::min<std::uint64_t>(chunkBytes, left_) ||
      head.storage > stored)
    return fail(ErrorKind::BadInput, "{}: a chunk of {} bytes where {} are left", path_.string(),
                head.bytes, left_);
  chunk_.assign(head.bytes, std::byte(head.storage));
  if (head.storage == stored)
    HEDDLE_CHECK(get(chunk_.data(), chunk_.size()));
  used_ = 0;
  left_ -= head.bytes;
  return {};
}

Expected<void> RecordReader::get(void* to, std::size_t bytes) {
  file_.read(static_cast<char*>(to), std::streamsize(bytes));
  if (!file_)
    return tl::unexpected(cutShort());
  return {};
}

Expected<std::optional<std::string>> writerOf(const std::filesystem::path& record,
                                              std::uint64_t copy) {
  HEDDLE_TRY(RecordReader reader, RecordReader::open(record));
  std::optional<std::string> writer;
  for (std::uint64_t copies = 0;;) {
    HEDDLE_TRY(const std::optional<RecordEntry> entry, reader.next());
    if (!entry || (entry->kind == RecordKind::Copied && ++copies == copy))
      return writer;
    if (entry->kind == RecordKind::Wrote)
      writer = entry->region;
    else if (copy != 0)
      writer.reset(); // it belongs to another copy
  }
}

Error RecordReader::cutShort() const {
  return {ErrorKind::BadInput,
          fmt::format("{}: the memory record ends in the middle; the run was killed or its disk is "
                      "full",
                      path_.string())};
}

} // namespace heddle::profile
