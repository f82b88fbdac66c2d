// SPDX-License-Identifier: Apache-2.0
//
//   1. The longest common subsequence of the branches, by function and text of the line.
//   2. Between two of its pairs: what is left on both sides, in order, while the functions are the
//      same. A line that was changed where it stands is such a pair.
#include "profile/ProfileDiff.h"

#include <algorithm>

namespace heddle::profile {
namespace {

using Branches = std::vector<BranchProfile>;

class BranchMatch {
public:
  BranchMatch(const Branches& before, const LineTexts& textsBefore, const Branches& after,
              const LineTexts& textsAfter)
      : before_(before), after_(after), textsBefore_(textsBefore), textsAfter_(textsAfter) {}

  std::vector<BranchPair> pair() {
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
    const std::string_view was = textAt(textsBefore_, a.where), is = textAt(textsAfter_, b.where);
    if (!was.empty() && !is.empty())
      return was == is;
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

  const Branches& before_;
  const Branches& after_;
  const LineTexts& textsBefore_;
  const LineTexts& textsAfter_;
  std::vector<unsigned> lengths_;
  std::vector<BranchPair> pairs_;
};

} // namespace

std::vector<BranchPair> pairBranches(const KernelProfile& before, const LineTexts& textsBefore,
                                     const KernelProfile& after, const LineTexts& textsAfter) {
  return BranchMatch(before.branches, textsBefore, after.branches, textsAfter).pair();
}

} // namespace heddle::profile
