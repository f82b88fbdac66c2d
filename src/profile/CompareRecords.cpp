// SPDX-License-Identifier: Apache-2.0
//
// 1. Take the next entry that the host could see from each record, and keep track of the regions.
// 2. They must be of one kind, and belong together.
// 3. Their contents must be equal, word by word.
#include "profile/CompareRecords.h"

#include "profile/WordText.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::profile {
namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 16;
constexpr std::string_view variablePrefix = "variable ";
constexpr std::string_view hostPrefix = "the host's ";
constexpr std::string_view scratchPrefix = "cudaMallocAsync ";

struct Pointed {
  std::string_view region;
  std::uint64_t offset = 0;
};

/// Regions that live, by address.
class LiveRegions {
public:
  void add(const RecordEntry& made) {
    const bool isHost = made.region.starts_with(hostPrefix);
    (isHost ? host_ : regions_)[made.address] = {made.region, made.regionSize};
  }
  void remove(std::uint64_t address) { regions_.erase(address); }

  std::optional<Pointed> find(std::uint64_t address) const {
    const auto found = find(regions_, address);
    return found ? found : find(host_, address);
  }

private:
  using Regions = std::map<std::uint64_t, std::pair<std::string, std::uint64_t>>; ///< name and size

  static std::optional<Pointed> find(const Regions& regions, std::uint64_t address) {
    auto above = regions.upper_bound(address);
    if (above == regions.begin())
      return std::nullopt;
    const auto& [begin, region] = *--above;
    if (address - begin >= region.second)
      return std::nullopt;
    return Pointed{region.first, address - begin};
  }

  Regions regions_;
  Regions host_; ///< its heap and such, which may hold some of the others
};

/// One of the two records.
struct Side {
  RecordReader reader;
  LiveRegions live;
  std::optional<std::uint64_t> freed; ///< the region of the last entry, whose content may name it

  /// Step 1: the next entry that counts.
  Expected<RecordEntry> next() {
    for (;;) {
      HEDDLE_TRY(std::optional<RecordEntry> entry, reader.next());
      if (freed)
        live.remove(*std::exchange(freed, std::nullopt));
      if (!entry)
        return fail(ErrorKind::BadInput, "the memory record has no end: the run was killed");
      if (entry->kind == RecordKind::Made)
        live.add(*entry);
      else if (entry->kind == RecordKind::Freed)
        freed = entry->address;
      const bool counts = entry->size > 0 || entry->kind == RecordKind::Ended;
      if (counts && entry->kind != RecordKind::Made)
        return *std::move(entry);
    }
  }
};

bool isLeftVariable(const RecordEntry& entry) {
  return entry.kind == RecordKind::Left && entry.region.starts_with(variablePrefix);
}

/// What must agree of what is left: "cudaMalloc" of "cudaMalloc #3", and all of a variable.
std::string_view familyOf(const RecordEntry& entry) {
  const std::string_view name = entry.region;
  return name.starts_with(variablePrefix) ? name : name.substr(0, name.find(" #"));
}

bool belongTogether(const RecordEntry& before, const RecordEntry& after) {
  if (before.kind != after.kind || before.size != after.size)
    return false;
  return before.kind == RecordKind::Copied || familyOf(before) == familyOf(after);
}

// Small integers look like numbers below the normal ones.
template <class T> bool isNumber(T value) {
  return value == 0 || std::isnormal(value);
}

/// How many times as far apart as two orders of its sums leave a number of the original: an
/// estimate, since there are more orders than two.
constexpr double asOtherOrders = 16;

/// Also remembers the largest difference that was close enough. `reordered`: the number when the
/// original runs in another order; nullptr: not known.
template <class T>
bool areClose(const std::byte* before, const std::byte* after, const std::byte* reordered,
              double bound, double& farthest) {
  T first, second, other;
  std::memcpy(&first, before, sizeof first);
  std::memcpy(&second, after, sizeof second);
  std::memcpy(&other, reordered != nullptr ? reordered : before, sizeof other);
  if (bound <= 0 || !isNumber(first) || !isNumber(second))
    return false;
  const auto largest = double(std::max(std::abs(first), std::abs(second)));
  const double apart = std::abs(double(first) - double(second));
  const double orders = isNumber(other) ? std::abs(double(first) - double(other)) : 0;
  if (apart > bound * largest)
    return apart <= asOtherOrders * orders;
  farthest = std::max(farthest, apart / largest);
  return true;
}

class Comparison {
public:
  Comparison(Side before, Side after, std::optional<Side> reordered, const Tolerance& tolerance)
      : before_(std::move(before)), after_(std::move(after)), reordered_(std::move(reordered)),
        tolerance_(tolerance) {}

  Expected<RecordComparison> run() {
    for (;;) {
      HEDDLE_TRY(const RecordEntry first, before_.next());
      HEDDLE_TRY(const RecordEntry second, nextFor(first));
      HEDDLE_CHECK(followReordered(first));
      // Step 2
      if (first.kind == RecordKind::Ended && second.kind == RecordKind::Ended) {
        compareEndings(first, second);
        return result_;
      }
      if (!belongTogether(first, second)) {
        result_.difference = differenceOf(first, second);
        return result_;
      }
      // Step 3
      HEDDLE_CHECK(compareContent(first, second));
      if (result_.difference)
        return result_;
      (first.kind == RecordKind::Copied ? result_.copies : result_.regions) += 1;
      result_.bytes += first.size;
    }
  }

private:
  /// The entry of the second record to hold against one of the first: its own new variables are
  /// passed over.
  Expected<RecordEntry> nextFor(const RecordEntry& first) {
    for (;;) {
      HEDDLE_TRY(RecordEntry second, after_.next());
      const bool isNew =
          isLeftVariable(second) && (!isLeftVariable(first) || second.region < first.region);
      if (!isNew)
        return second;
    }
  }

  /// The original in another order may do something else: then it says nothing any more.
  Expected<void> followReordered(const RecordEntry& first) {
    if (!reordered_)
      return {};
    HEDDLE_TRY(const RecordEntry entry, reordered_->next());
    if (!belongTogether(first, entry))
      reordered_.reset();
    return {};
  }

  std::uint64_t copyNumber(const RecordEntry& entry) const {
    return entry.kind == RecordKind::Copied ? result_.copies + 1 : 0;
  }

  std::string whatIs(const RecordEntry& entry) const {
    switch (entry.kind) {
    case RecordKind::Copied:
      return fmt::format("copy {} to the host", result_.copies + 1);
    case RecordKind::Freed:
      return "what is freed";
    case RecordKind::Left:
      return "what is left";
    default:
      return "the end";
    }
  }

  static std::string valueOf(const RecordEntry& entry) {
    if (entry.kind == RecordKind::Ended)
      return entry.region.empty() ? "the program ends" : entry.region;
    const char* verb = entry.kind == RecordKind::Copied  ? "copied to the host"
                       : entry.kind == RecordKind::Freed ? "freed"
                                                         : "left";
    return fmt::format("{} bytes {}", entry.size, verb);
  }

  static std::string regionOf(const RecordEntry& entry) {
    return entry.kind == RecordKind::Ended ? "" : entry.region;
  }

  RecordDifference differenceOf(const RecordEntry& first, const RecordEntry& second) const {
    return {.copy = copyNumber(first),
            .what = whatIs(first.kind == RecordKind::Ended ? second : first),
            .beforeRegion = regionOf(first),
            .afterRegion = regionOf(second),
            .offset = first.offset,
            .before = valueOf(first),
            .after = valueOf(second)};
  }

  /// A fault may name another line in another program.
  void compareEndings(const RecordEntry& first, const RecordEntry& second) {
    if (first.region.empty() != second.region.empty())
      result_.difference = differenceOf(first, second);
  }

  Expected<void> compareContent(const RecordEntry& first, const RecordEntry& second) {
    std::vector<std::byte> before(pieceBytes), after(pieceBytes);
    std::vector<std::byte> reordered(reordered_ ? pieceBytes : 0);
    for (std::uint64_t at = 0; at < first.size;) {
      HEDDLE_TRY(const std::size_t bytes, before_.reader.read(before));
      HEDDLE_TRY(const std::size_t others, after_.reader.read(after));
      if (bytes == 0 || bytes != others)
        return fail(ErrorKind::BadInput, "the content of {} is shorter than it should be",
                    first.region);
      if (reordered_) {
        HEDDLE_TRY(const std::size_t read, reordered_->reader.read(reordered));
        if (read != bytes)
          return fail(ErrorKind::BadInput, "the content of {} is shorter than it should be",
                      first.region);
      }
      if (std::memcmp(before.data(), after.data(), bytes) != 0)
        comparePiece({first,
                      second,
                      at,
                      {before.data(), bytes},
                      {after.data(), bytes},
                      reordered_ ? reordered.data() : nullptr});
      at += bytes;
    }
    return {};
  }

  struct Piece {
    const RecordEntry& first;
    const RecordEntry& second;
    std::uint64_t at; ///< in the content
    std::span<const std::byte> before, after;
    const std::byte* reordered = nullptr; ///< of the original in another order

    const std::byte* reorderedAt(std::size_t offset) const {
      return reordered != nullptr ? reordered + offset : nullptr;
    }
  };

  void comparePiece(const Piece& piece) {
    const bool doubles = guessType(piece.before) == WordType::Double;
    for (std::size_t offset = 0; offset < piece.before.size(); offset += 8) {
      const std::size_t bytes = std::min<std::size_t>(8, piece.before.size() - offset);
      const std::byte* const before = piece.before.data() + offset;
      const std::byte* const after = piece.after.data() + offset;
      if (std::memcmp(before, after, bytes) == 0 || (bytes == 8 && samePlace(before, after)))
        continue;
      const bool close = doubles && bytes == 8 &&
                         areClose<double>(before, after, piece.reorderedAt(offset),
                                          tolerance_.doubles, result_.largest.doubles);
      for (std::size_t half = 0; half < bytes; half += 4)
        compareWord(piece, offset + half, close, doubles ? 0 : tolerance_.floats);
    }
  }

  void compareWord(const Piece& piece, std::size_t offset, bool inCloseDouble, double bound) {
    const std::size_t bytes = std::min<std::size_t>(4, piece.before.size() - offset);
    const std::byte* const before = piece.before.data() + offset;
    const std::byte* const after = piece.after.data() + offset;
    if (std::memcmp(before, after, bytes) == 0)
      return;
    if (inCloseDouble || (bytes == 4 && areClose<float>(before, after, piece.reorderedAt(offset),
                                                        bound, result_.largest.floats)))
      ++result_.tolerated;
    else if (result_.difference)
      ++result_.difference->words;
    else
      noteFirst(piece, offset);
  }

  void noteFirst(const Piece& piece, std::size_t offset) {
    const WordType type = guessType(piece.before);
    std::size_t byte = offset;
    while (piece.before[byte] == piece.after[byte])
      ++byte;
    const auto was = pointedAt(before_, piece.before, offset);
    const auto is = pointedAt(after_, piece.after, offset);
    const bool arePointers = was && is;
    result_.difference = {
        .copy = copyNumber(piece.first),
        .what = whatIs(piece.first),
        .beforeRegion = piece.first.region,
        .afterRegion = piece.second.region,
        .offset = piece.first.offset + piece.first.rows.offsetOf(piece.at + byte),
        .before = arePointers ? pointerText(*was) : wordText(piece.before, offset, type),
        .after = arePointers ? pointerText(*is) : wordText(piece.after, offset, type),
        .words = 1};
  }

  /// Where the 8 bytes point that hold an offset.
  static std::optional<Pointed> pointedAt(const Side& side, std::span<const std::byte> memory,
                                          std::size_t offset) {
    std::uint64_t address = 0;
    if (offset / 8 * 8 + sizeof address > memory.size())
      return std::nullopt;
    std::memcpy(&address, memory.data() + offset / 8 * 8, sizeof address);
    return side.live.find(address);
  }

  static std::string pointerText(const Pointed& to) {
    return fmt::format("a pointer to {} + {}", to.region, to.offset);
  }

  bool samePlace(const std::byte* before, const std::byte* after) const {
    std::uint64_t first = 0, second = 0;
    std::memcpy(&first, before, sizeof first);
    std::memcpy(&second, after, sizeof second);
    const auto from = before_.live.find(first);
    const auto to = after_.live.find(second);
    if (!from || !to || from->offset != to->offset)
      return false;
    return from->region == to->region ||
           (from->region.starts_with(scratchPrefix) && to->region.starts_with(scratchPrefix));
  }

  Side before_, after_;
  std::optional<Side> reordered_;
  Tolerance tolerance_;
  RecordComparison result_;
};

} // namespace

std::string RecordDifference::text() const {
  const std::string name = beforeRegion.empty() ? afterRegion : beforeRegion;
  if (words == 0)
    return fmt::format("{}: {}{}before: {}, after: {}", what, name, name.empty() ? "" : ": ",
                       before, after);
  return fmt::format("{}: {} + {}: before: {}, after: {}; {} {} of 4 bytes {}", what, name, offset,
                     before, after, words, words == 1 ? "word" : "words",
                     words == 1 ? "differs" : "differ");
}

Expected<RecordComparison> compareRecords(const std::filesystem::path& before,
                                          const std::filesystem::path& after,
                                          const Tolerance& tolerance,
                                          const std::filesystem::path& reordered) {
  HEDDLE_TRY(RecordReader first, RecordReader::open(before));
  HEDDLE_TRY(RecordReader second, RecordReader::open(after));
  std::optional<Side> third;
  if (!reordered.empty()) {
    HEDDLE_TRY(RecordReader reader, RecordReader::open(reordered));
    third.emplace(Side{std::move(reader), {}, {}});
  }
  return Comparison({std::move(first), {}, {}}, {std::move(second), {}, {}}, std::move(third),
                    tolerance)
      .run();
}

} // namespace heddle::profile
