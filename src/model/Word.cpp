// SPDX-License-Identifier: Apache-2.0
#include "model/Word.h"

#include <algorithm>
#include <cassert>

namespace heddle::model {
namespace {

constexpr std::size_t maxLength = 1000;

/// The shortest word whose repetition gives this one: "ABAB" -> "AB".
std::string primitive(const std::string& text) {
  const std::size_t period = (text + text).find(text, 1);
  return text.substr(0, period);
}

} // namespace

Expected<Word> Word::parse(std::string_view text, const Branching& branching) {
  const char last = pathLetter(branching.ways() - 1);
  if (text.empty())
    return fail(ErrorKind::BadInput, "the word is empty; expected letters from A to {}", last);
  if (text.size() > maxLength)
    return fail(ErrorKind::BadInput, "a word of {} letters: at most {} are allowed", text.size(),
                maxLength);
  for (const char letter : text)
    if (letter < 'A' || letter > last)
      return fail(ErrorKind::BadInput, "'{}' in the word '{}' is no path; the paths are A to {}",
                  letter, text, last);
  for (int path = 0; path < branching.ways(); ++path)
    if (branching.probability(path) > 0 && text.find(pathLetter(path)) == std::string_view::npos)
      return fail(ErrorKind::BadInput,
                  "the word '{}' never runs path {}, so the loop would not end", text,
                  pathLetter(path));
  return Word(std::string(text));
}

Word Word::fromSegments(const std::vector<Segment>& segments) {
  std::string text;
  for (const Segment& segment : segments)
    text += std::string(std::size_t(segment.x), 'A') + std::string(std::size_t(segment.y), 'B');
  return Word(std::move(text));
}

std::vector<Segment> Word::segments() const {
  const std::size_t turn = (text_.back() + text_).find("BA"); // where an A follows a B, cyclically
  assert(turn != std::string::npos && "segments need a word with both an A and a B");
  std::string rotated = text_;
  std::ranges::rotate(rotated, rotated.begin() + std::ptrdiff_t(turn));
  std::vector<Segment> segments;
  char previous = 'B';
  for (const char letter : rotated) {
    if (letter == 'A' && previous == 'B')
      segments.emplace_back();
    ++(letter == 'A' ? segments.back().x : segments.back().y);
    previous = letter;
  }
  return segments;
}

bool Word::sameSchedule(const Word& other) const {
  const std::string mine = primitive(text_);
  const std::string theirs = primitive(other.text_);
  return mine.size() == theirs.size() && (mine + mine).find(theirs) != std::string::npos;
}

} // namespace heddle::model
