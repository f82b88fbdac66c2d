// SPDX-License-Identifier: Apache-2.0
//
// What a program prints, but for what it prints otherwise in each run: times, dates, pointers,
// numbers of processes. Learned from two runs of the same program; what differs between them cannot
// tell whether another program does the same.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::driver {

class VaryingText {
public:
  /// Sets aside the words in which two runs differ: in lines of as many words each by itself, else
  /// the whole line; where one run has more lines, all from the first line that differs.
  void learn(std::string_view first, std::string_view second);

  /// The first difference that was not set aside, in words; nothing: there is none. Fractions may
  /// differ by the tolerance, relative, or else by one in their last digit if there is one at all.
  /// `where` stands behind the number of the line.
  std::optional<std::string> difference(std::string_view before, std::string_view after,
                                        double tolerance = 0,
                                        std::string_view where = " of its output") const;

  bool isEmpty() const { return words_.empty() && !openFrom_; }
  /// "line 3 ('0.52')", of the run that was learned first.
  std::vector<std::string> setAside() const;

private:
  struct Line {
    bool isWhole = false;
    std::set<std::size_t> words; ///< by number
    std::string example;         ///< the first of them, or the line
  };
  std::map<std::size_t, Line> words_;   ///< by number of the line
  std::optional<std::size_t> openFrom_; ///< from this line on everything varies
};

} // namespace heddle::driver
