// SPDX-License-Identifier: Apache-2.0
//
// Changes to a text, collected in any order and made at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::rewrite {

/// Bytes of a file, the last one excluded.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool contains(const Range& other) const { return begin <= other.begin && other.end <= end; }
  auto operator<=>(const Range&) const = default;
};

class Edits {
public:
  void replace(Range range, std::string text) { edits_.push_back({range, std::move(text)}); }
  void insert(std::size_t at, std::string text) { replace({at, at}, std::move(text)); }
  void remove(Range range) { replace(range, ""); }
  void add(const Edits& others);
  /// What makes one text of another, in whole lines.
  static Edits between(std::string_view before, std::string_view after);
  /// Without those that are there already: two rewrites may need the same include.
  void addOnce(const Edits& others);

  bool empty() const { return edits_.empty(); }
  bool operator==(const Edits&) const = default;
  /// Whether an edit changes something there.
  bool touches(Range range) const;
  /// Whether an edit of one touches an edit of the other.
  bool overlaps(const Edits& others) const;

  /// The text with all edits made. They must not overlap; insertions at one place keep their order.
  std::string apply(std::string_view text) const;
  /// The part of the text in a range, with the edits that lie in it.
  std::string apply(std::string_view text, Range part) const;

private:
  struct Edit {
    Range range;
    std::string text;
    bool operator==(const Edit&) const = default;
  };
  std::vector<Edit> edits_;
};

} // namespace heddle::rewrite
