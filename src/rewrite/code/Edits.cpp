// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Edits.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace heddle::rewrite {

void Edits::add(const Edits& others) {
  edits_.insert(edits_.end(), others.edits_.begin(), others.edits_.end());
}

void Edits::addOnce(const Edits& others) {
  for (const Edit& edit : others.edits_)
    if (std::ranges::find(edits_, edit) == edits_.end())
      edits_.push_back(edit);
}

bool Edits::touches(Range range) const {
  return std::ranges::any_of(edits_, [&](const Edit& edit) {
    return edit.range.begin < range.end && range.begin < edit.range.end;
  });
}

bool Edits::overlaps(const Edits& others) const {
  return std::ranges::any_of(edits_, [&](const Edit& mine) { return others.touches(mine.range); });
}

std::string Edits::apply(std::string_view text) const {
  return apply(text, {0, text.size()});
}

std::string Edits::apply(std::string_view text, Range part) const {
  std::vector<std::size_t> order(edits_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(edits_[i].range.begin, edits_[i].range.end, i);
  });
  std::string result;
  std::size_t at = part.begin;
  for (const std::size_t i : order) {
    const Edit& edit = edits_[i];
    if (!part.contains(edit.range))
      continue;
    assert(edit.range.begin >= at && "edits overlap");
    result += text.substr(at, edit.range.begin - at);
    result += edit.text;
    at = edit.range.end;
  }
  return result.append(text.substr(at, part.end - at));
}

} // namespace heddle::rewrite
