// SPDX-License-Identifier: Apache-2.0
#include "timing/TimeInterval.h"

#include <algorithm>
#include <iterator>

namespace heddle::timing {
namespace {

struct KnownInterval {
  std::string_view code, kind;
  TimeInterval interval;
};

constexpr KnownInterval knownIntervals[] = {
#define HEDDLE_TIME_INTERVAL(code, kind, low, high, count) {code, kind, {low, high}},
#include "timing/TimeIntervals.def"
#undef HEDDLE_TIME_INTERVAL
};

const KnownInterval* find(std::string_view code, std::string_view kind) {
  const auto isIt = [&](const KnownInterval& each) {
    return each.code == code && each.kind == kind;
  };
  const auto found = std::ranges::find_if(knownIntervals, isIt);
  return found == std::end(knownIntervals) ? nullptr : found;
}

} // namespace

TimeInterval timeInterval(profile::TimeKind kind, bool isMachineCode) {
  const char* code = isMachineCode ? "machine" : "model";
  const bool isBusy = kind == profile::TimeKind::Issue || kind == profile::TimeKind::Memory;
  const KnownInterval* found =
      find(code, isBusy ? "busy" : profile::timeKindNames[std::size_t(kind)]);
  return (found == nullptr ? find(code, "") : found)->interval;
}

std::string_view intervalDevice() {
  return "H200 SXM";
}

} // namespace heddle::timing
