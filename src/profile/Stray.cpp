// SPDX-License-Identifier: Apache-2.0
#include "profile/Stray.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace heddle::profile {
namespace {

const char* verbOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Load:
    return "reads";
  case AccessKind::Store:
    return "writes";
  case AccessKind::Atomic:
    break;
  }
  return "changes";
}

/// What stays when lines and kernels change.
struct Goal {
  AccessKind kind;
  std::string memory;
  StraySide side;

  auto operator<=>(const Goal&) const = default;
};

struct Touched {
  std::uint64_t reach = 0, bytes = 0;
};

std::map<Goal, Touched> byGoal(const std::vector<Stray>& strays) {
  std::map<Goal, Touched> sums;
  for (const Stray& stray : strays) {
    Touched& sum = sums[{stray.kind, stray.memory, stray.side}];
    sum.reach = std::max(sum.reach, stray.reach);
    sum.bytes += stray.bytes * stray.count;
  }
  return sums;
}

} // namespace

std::string strayText(const Stray& stray) {
  const std::string times =
      stray.count == 1 ? std::string("once") : fmt::format("{} times", stray.count);
  if (stray.side == StraySide::Outside)
    return fmt::format("{} {} bytes outside of {}, {}", verbOf(stray.kind), stray.bytes,
                       stray.memory, times);
  const std::uint64_t elements =
      (stray.reach + stray.bytes - 1) / std::max<std::uint64_t>(stray.bytes, 1);
  return fmt::format("{} {}{} element{} of {} byte{} {} {}, {}", verbOf(stray.kind),
                     elements == 1 ? "" : "up to ", elements, elements == 1 ? "" : "s", stray.bytes,
                     stray.bytes == 1 ? "" : "s",
                     stray.side == StraySide::Behind ? "behind" : "before", stray.memory, times);
}

void addStrays(std::vector<Stray>& all, const std::vector<Stray>& more) {
  const auto keyOf = [](const Stray& stray) {
    return std::tie(stray.kernel, stray.where, stray.kind, stray.memory, stray.side, stray.bytes);
  };
  for (const Stray& stray : more) {
    const auto known =
        std::ranges::find_if(all, [&](const Stray& old) { return keyOf(old) == keyOf(stray); });
    if (known == all.end()) {
      all.push_back(stray);
      continue;
    }
    known->reach = std::max(known->reach, stray.reach);
    known->count += stray.count;
  }
}

std::optional<std::string> strayBeyond(const std::vector<Stray>& before,
                                       const std::vector<Stray>& after) {
  const std::map<Goal, Touched> allowed = byGoal(before);
  const std::map<Goal, Touched> found = byGoal(after);
  for (const Stray& stray : after) {
    const Goal goal{stray.kind, stray.memory, stray.side};
    const auto known = allowed.find(goal);
    const Touched& now = found.at(goal);
    if (known == allowed.end() || now.reach > known->second.reach ||
        now.bytes > known->second.bytes)
      return fmt::format("it {}, which the program as it is does not do{}", strayText(stray),
                         known == allowed.end() ? "" : " so far or so often");
  }
  return std::nullopt;
}

} // namespace heddle::profile
