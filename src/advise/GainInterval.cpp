// SPDX-License-Identifier: Apache-2.0
#include "advise/GainInterval.h"

#include <algorithm>
#include <iterator>

namespace heddle::advise {
namespace {

struct Known {
  std::string_view rewrite;
  GainInterval interval;
};

constexpr Known known[] = {
#define HEDDLE_GAIN_INTERVAL(rewrite, low, high, count) {rewrite, {low, high}},
#include "advise/GainIntervals.def"
#undef HEDDLE_GAIN_INTERVAL
};

const Known* find(std::string_view name) {
  const auto found = std::ranges::find(known, name, &Known::rewrite);
  return found == std::end(known) ? nullptr : found;
}

} // namespace

GainInterval gainInterval(std::string_view rewrite, bool isBusy) {
  const Known* found = find(isBusy ? "busy" : rewrite);
  return (found == nullptr ? find("") : found)->interval;
}

} // namespace heddle::advise
