// SPDX-License-Identifier: Apache-2.0
//
// Which line of the source each line of a PTX text comes from, by its .loc directives.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::ptx {

/// A file as a person in the current folder would name it, and the folder that name is from.
std::pair<std::string, std::string> namedFromHere(const std::string& path);

struct SourceLine {
  std::string file;
  int line = 0;

  auto operator<=>(const SourceLine&) const = default;
};

class SourceLines {
public:
  explicit SourceLines(std::string_view ptx);

  /// Nothing where no .loc stands before a line of its function.
  const SourceLine* at(std::uint32_t ptxLine) const;

  /// Whether the instruction of a line becomes a sequence in which lanes may part: a division, a
  /// root, an atomic.
  bool isSequence(std::uint32_t ptxLine) const;

private:
  std::vector<std::string> texts_;
  std::map<std::uint32_t, SourceLine> begins_; ///< the source's line from a line of the PTX on
};

} // namespace heddle::ptx
