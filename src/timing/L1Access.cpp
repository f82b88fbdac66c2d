// SPDX-License-Identifier: Apache-2.0
#include "timing/L1Access.h"

#include <algorithm>

namespace heddle::timing {
namespace {

using profile::AccessKind;

constexpr std::size_t mostLines = 128;           ///< of an access: 32 lanes, 16 bytes
constexpr std::uint64_t stepsOfJoinedStores = 4; ///< estimate

} // namespace

Touched touch(std::span<const std::uint32_t> list, const profile::Traffic& traffic,
              std::vector<double>& sectors) {
  if (traffic.sectors == profile::Traffic::unknownSectors)
    return {.fresh = double(traffic.fresh)};
  Touched touched{.numbers = list.subspan(traffic.sectors, traffic.transactions),
                  .sectors = &sectors};
  std::array<std::uint32_t, mostLines> lines, newLines;
  const auto count = [](auto& seen, double& number, std::uint32_t line) {
    const auto end = seen.begin() + std::ptrdiff_t(number);
    if (std::size_t(number) < seen.size() && std::find(seen.begin(), end, line) == end)
      seen[std::size_t(number++)] = line;
  };
  for (const std::uint32_t number : touched.numbers) {
    count(lines, touched.lines, number / profile::sectorsOfALine);
    if (const double there = sectors[number]; there != never)
      touched.latest = std::max(touched.latest, there);
    else {
      count(newLines, touched.newLines, number / profile::sectorsOfALine);
      ++touched.fresh;
      const std::uint32_t neighbour = number ^ 1U; // 64 bytes come from another partition at once
      touched.newPairs += sectors[neighbour] == never ? 1 : 0;
    }
  }
  touched.newPairs /= std::max(1.0, touched.fresh);
  return touched;
}

double l1Service(const DeviceCosts& costs, const profile::Step& step,
                 const profile::Traffic& traffic, const Touched& touched) {
  const double pass = costs.serviceOf(step.unit);
  if (touched.lines == 0 || costs.l1Access == 0 || step.access == AccessKind::Atomic)
    return std::max(pass, costs.sectorService * traffic.transactions);
  const double coming = step.access == AccessKind::Load ? costs.l1NewLine * touched.newLines : 0;
  return std::max(
      {pass, double(traffic.banks), costs.l1Access + costs.l1Line * touched.lines, coming});
}

double WrittenLines::add(const DeviceCosts& costs, const Touched& touched,
                         const profile::Traffic& traffic, std::uint64_t issued) {
  if (touched.numbers.empty())
    return sectorBytes * traffic.transactions;
  const bool isJoined = issued - issued_ <= stepsOfJoinedStores;
  std::array<Line, most> written{};
  std::size_t count = 0;
  double sectors = 0;
  for (const std::uint32_t number : touched.numbers) {
    const std::uint32_t line = number / profile::sectorsOfALine;
    const unsigned bit = 1U << number % profile::sectorsOfALine;
    const auto isIt = [&](const Line& each) { return each.number == line; };
    const auto before = std::ranges::find_if(lines_, isIt);
    const unsigned there = isJoined && before != lines_.end() ? before->sectors : 0;
    sectors += (there & bit) == 0 ? 1 : 0;
    const auto end = written.begin() + std::ptrdiff_t(count);
    const auto at = std::find_if(written.begin(), end, isIt);
    if (at != end)
      at->sectors |= bit;
    else if (count < written.size())
      written[count++] = {line, there | bit};
  }
  lines_ = touched.lines <= double(most) ? written : std::array<Line, most>{};
  issued_ = issued;
  const double lines = sectors > 0 ? touched.lines : 0;
  return std::max(sectorBytes * sectors, costs.writeBytesOfLine * lines);
}

} // namespace heddle::timing
