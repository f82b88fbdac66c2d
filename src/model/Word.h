// SPDX-License-Identifier: Apache-2.0
//
// A fixed schedule: a word over the paths, repeated for as long as lanes are live. "ABB" runs path
// A once, then path B twice, and starts over.
#pragma once

#include "model/Branching.h"
#include "support/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::model {

/// x times A, then y times B.
struct Segment {
  int x = 0;
  int y = 0;
  auto operator<=>(const Segment&) const = default;
};

class Word {
public:
  /// Reads a word of letters. Refuses letters that are no path, and words that leave out a path
  /// that is taken (the loop would never end).
  static Expected<Word> parse(std::string_view text, const Branching& branching);

  static Word fromSegments(const std::vector<Segment>& segments);

  const std::string& text() const { return text_; }
  int length() const { return static_cast<int>(text_.size()); }
  int path(int position) const { return text_[std::size_t(position)] - 'A'; }

  /// The word as A runs followed by B runs, rotated to start with an A run that follows a B.
  /// Needs a word over A and B that holds both.
  std::vector<Segment> segments() const;

  /// Whether two words are the same schedule: one repeated and rotated is the other.
  bool sameSchedule(const Word& other) const;

private:
  explicit Word(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

} // namespace heddle::model
