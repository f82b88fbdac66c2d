// SPDX-License-Identifier: Apache-2.0
//
//   1. The longest common subsequence of the records, by function and text of the line.
//   2. Between two of its pairs: what is left on both sides, in order, while the functions are the
//      same. A line that was changed where it stands is such a pair.
#include "profile/ProfileDiff.h"

#include <algorithm>
#include <map>

namespace heddle::profile {
namespace {

/// Of two lists of records that have a site; a pair lacks one where the other has no partner.
template <class Record> class Match {
public:
  using Records = std::vector<Record>;
  using Pair = std::pair<const Record*, const Record*>;

  Match(const Records& before, const LineTexts& textsBefore, const Records& after,
        const LineTexts& textsAfter)
      : before_(before), after_(after), wasTexts_(textsOf(before, textsBefore)),
        isTexts_(textsOf(after, textsAfter)) {}

  std::vector<Pair> pair() {
    findLengths();
    std::size_t i = 0, j = 0, gapBefore = 0, gapAfter = 0;
    while (i < before_.size() && j < after_.size()) {
      if (isSame(i, j) && length(i, j) == length(i + 1, j + 1) + 1) {
        closeGap(gapBefore, i, gapAfter, j);
        pairs_.push_back({&before_[i++], &after_[j++]});
        gapBefore = i;
        gapAfter = j;
      } else if (length(i + 1, j) >= length(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
    closeGap(gapBefore, before_.size(), gapAfter, after_.size());
    return std::move(pairs_);
  }

private:
  static std::vector<std::string_view> textsOf(const Records& records, const LineTexts& texts) {
    std::vector<std::string_view> found;
    for (const Record& record : records)
      found.push_back(textAt(texts, record.site.where));
    return found;
  }

  /// Step 1: of the tails that begin there.
  void findLengths() {
    lengths_.assign((before_.size() + 1) * (after_.size() + 1), 0);
    for (std::size_t i = before_.size(); i-- > 0;)
      for (std::size_t j = after_.size(); j-- > 0;)
        length(i, j) =
            isSame(i, j) ? length(i + 1, j + 1) + 1 : std::max(length(i + 1, j), length(i, j + 1));
  }
  unsigned& length(std::size_t i, std::size_t j) { return lengths_[i * (after_.size() + 1) + j]; }

  bool isSame(std::size_t i, std::size_t j) const {
    const Site &a = before_[i].site, &b = after_[j].site;
    if (a.function != b.function || a.inlinedAt.size() != b.inlinedAt.size())
      return false;
    if (!wasTexts_[i].empty() && !isTexts_[j].empty())
      return wasTexts_[i] == isTexts_[j];
    return a.where.line == b.where.line && a.where.column == b.where.column;
  }

  /// Step 2.
  void closeGap(std::size_t i, std::size_t endBefore, std::size_t j, std::size_t endAfter) {
    while (i < endBefore && j < endAfter && before_[i].site.function == after_[j].site.function)
      pairs_.push_back({&before_[i++], &after_[j++]});
    for (; i < endBefore; ++i)
      pairs_.push_back({&before_[i], nullptr});
    for (; j < endAfter; ++j)
      pairs_.push_back({nullptr, &after_[j]});
  }

  const Records& before_;
  const Records& after_;
  std::vector<std::string_view> wasTexts_, isTexts_;
  std::vector<unsigned> lengths_;
  std::vector<Pair> pairs_;
};

/// The lines of a kernel, each once, whatever calls it came in through.
std::vector<LineProfile> wholeLines(const KernelProfile& kernel) {
  std::map<std::pair<std::string, int>, LineProfile> places;
  for (const LineProfile& line : kernel.lines) {
    const SourceLocation& where = line.site.where;
    LineProfile& whole = places[{where.file, where.line}];
    whole += line;
    whole.site.where = {where.file, where.line, 0};
    whole.site.function = line.site.function;
  }
  std::vector<LineProfile> lines;
  for (auto& [place, line] : places)
    lines.push_back(std::move(line));
  return lines;
}

} // namespace

std::vector<BranchPair> pairBranches(const KernelProfile& before, const LineTexts& textsBefore,
                                     const KernelProfile& after, const LineTexts& textsAfter) {
  std::vector<BranchPair> pairs;
  for (const auto& [was, is] :
       Match(before.branches, textsBefore, after.branches, textsAfter).pair())
    pairs.push_back({was, is});
  return pairs;
}

std::vector<LinePair> pairLines(const KernelProfile& before, const LineTexts& textsBefore,
                                const KernelProfile& after, const LineTexts& textsAfter) {
  if (before.lines.empty() || after.lines.empty())
    return {};
  const std::vector<LineProfile> was = wholeLines(before), is = wholeLines(after);
  std::vector<LinePair> pairs;
  for (const auto& [one, other] : Match(was, textsBefore, is, textsAfter).pair()) {
    LinePair& pair = pairs.emplace_back();
    if (one != nullptr) {
      pair.before = one->site.where;
      pair.was = *one;
    }
    if (other != nullptr) {
      pair.after = other->site.where;
      pair.is = *other;
    }
  }
  return pairs;
}

} // namespace heddle::profile
