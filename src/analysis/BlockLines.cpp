// SPDX-License-Identifier: Apache-2.0
#include "analysis/BlockLines.h"

#include "analysis/SourceSite.h"

#include <numeric>

namespace heddle::analysis {
namespace {

void append(profile::Stretch& stretch, std::uint32_t place, std::uint32_t instructions) {
  if (instructions == 0)
    return;
  if (!stretch.empty() && stretch.back().place == place)
    stretch.back().instructions += instructions;
  else
    stretch.push_back({place, instructions});
}

} // namespace

std::uint32_t LineTable::numberOf(const llvm::Instruction& instruction) {
  const llvm::DILocation* where = instruction.getDebugLoc();
  const bool isKnown = where != nullptr && where->getLine() != 0;
  if (isKnown)
    if (const auto known = known_.find(where); known != known_.end())
      return known->second;
  profile::Site site = siteOf(instruction);
  site.where.column = 0; // the whole line
  const auto [found, isNew] = numbers_.try_emplace(site, std::uint32_t(lines_.size()));
  if (isNew)
    lines_.push_back(std::move(site));
  if (isKnown)
    known_.emplace(where, found->second);
  return found->second;
}

profile::Stretch blockLines(const llvm::BasicBlock& block,
                            const std::vector<std::uint32_t>& weights, std::uint32_t total,
                            bool isScaled, LineTable& lines) {
  profile::Stretch stretch;
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const std::uint64_t shared = isScaled || total < sum ? total : sum;
  std::uint64_t seen = 0, given = 0;
  auto weight = weights.begin();
  for (const llvm::Instruction& instruction : block) {
    if (weight == weights.end())
      break;
    seen += *weight++;
    // Of what is shared, as much as the weights up to here have earned: the parts add up.
    const std::uint64_t earned = sum == 0 ? 0 : shared * seen / sum;
    if (earned > given)
      append(stretch, lines.numberOf(instruction), std::uint32_t(earned - given));
    given = earned;
  }
  if (given < total)
    append(stretch, lines.numberOf(*block.getTerminator()), std::uint32_t(total - given));
  return stretch;
}

} // namespace heddle::analysis
