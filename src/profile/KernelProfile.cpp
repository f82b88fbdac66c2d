// SPDX-License-Identifier: Apache-2.0
#include "profile/KernelProfile.h"

#include "support/LaneMask.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace heddle::profile {

BranchCounts& BranchCounts::operator+=(const BranchCounts& other) {
  executions += other.executions;
  divergentExecutions += other.divergentExecutions;
  lostSlots += other.lostSlots;
  lostCycles += other.lostCycles;
  switchedOff += other.switchedOff;
  for (std::size_t side = 0; side < 2; ++side) {
    lanes[side] += other.lanes[side];
    pathRuns[side] += other.pathRuns[side];
    pathInstructions[side] += other.pathInstructions[side];
  }
  return *this;
}

void LoopCounts::leave(std::uint64_t trips, std::uint64_t leaving) {
  lanes += leaving;
  iterations += trips * leaving;
  fewest = std::min(fewest, trips);
  most = std::max(most, trips);
  const auto bucket = std::size_t(std::bit_width(trips | 1) - 1);
  histogram[std::min(bucket, buckets - 1)] += leaving;
}

LoopCounts& LoopCounts::operator+=(const LoopCounts& other) {
  lanes += other.lanes;
  iterations += other.iterations;
  fewest = std::min(fewest, other.fewest);
  most = std::max(most, other.most);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket)
    histogram[bucket] += other.histogram[bucket];
  return *this;
}

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  warpInstructions += other.warpInstructions;
  used += other.used;
  switchedOff += other.switchedOff;
  return *this;
}

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  executions += other.executions;
  lanes += other.lanes;
  transactions += other.transactions;
  ideal += other.ideal;
  return *this;
}

FirstTouch& FirstTouch::operator+=(const FirstTouch& other) {
  bytes += other.bytes;
  seconds += other.seconds;
  prefetchSeconds += other.prefetchSeconds;
  return *this;
}

std::optional<std::uint64_t> sumIfKnown(const std::optional<std::uint64_t>& one,
                                        const std::optional<std::uint64_t>& other) {
  return one && other ? std::optional(*one + *other) : std::nullopt;
}

std::string KernelProfile::symbol() const {
  return id.substr(0, id.find('#')); // which no symbol has
}

std::uint64_t KernelProfile::slots() const {
  return warpInstructions * warpSize;
}

std::uint64_t KernelProfile::lostToBranches() const {
  std::uint64_t sum = 0;
  for (const BranchProfile& branch : branches)
    sum += branch.lostSlots;
  return sum;
}

double KernelProfile::efficiency() const {
  return slots() == 0 ? 1 : double(threadInstructions) / double(slots());
}

double KernelProfile::averageActiveLanes() const {
  return efficiency() * warpSize;
}

std::optional<double> KernelProfile::averageLanesOn() const {
  if (!switchedOff || warpInstructions == 0)
    return std::nullopt;
  return double(threadInstructions - *switchedOff) / double(warpInstructions);
}

double KernelProfile::shareOfUsed(std::uint64_t lanes) const {
  return threadInstructions == 0 ? 0 : double(lanes) / double(threadInstructions);
}

std::uint64_t KernelProfile::lost() const {
  return lostToBranches() + lostToFinished + lostToPartial + lostToSequences;
}

bool KernelProfile::addsUp() const {
  return lanesAddUp() && switchedOffAddsUp();
}

bool KernelProfile::lanesAddUp() const {
  return threadInstructions + lost() == slots();
}

bool KernelProfile::switchedOffAddsUp() const {
  std::uint64_t ofBranches = 0;
  for (const BranchProfile& branch : branches)
    ofBranches += branch.switchedOff;
  if (!switchedOff)
    return lines.empty() && ofBranches == 0;
  LineCounts ofLines;
  for (const LineProfile& line : lines) {
    ofLines += line;
    if (line.switchedOff > line.used)
      return false;
  }
  return *switchedOff <= threadInstructions && ofBranches <= *switchedOff &&
         (lines.empty() ||
          (ofLines.used == threadInstructions && ofLines.switchedOff == *switchedOff));
}

namespace {

template <class Record> void addAll(std::vector<Record>& to, const std::vector<Record>& parts) {
  assert(to.size() == parts.size() && "parts of one kernel");
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] += parts[i];
}

/// Launches need not come by the same lines.
void addLines(std::vector<LineProfile>& to, const std::vector<LineProfile>& parts) {
  auto at = to.begin();
  for (const LineProfile& part : parts) {
    at = std::ranges::lower_bound(at, to.end(), part.site, {}, &LineProfile::site);
    if (at != to.end() && at->site == part.site)
      *at += part;
    else
      at = to.insert(at, part);
  }
}

/// A sum is known where all parts that have slots are; else it would be that of some launches.
void addSwitchedOff(KernelProfile& to, const KernelProfile& part) {
  if (part.slots() == 0)
    return;
  const bool isFirst = to.slots() == 0;
  to.switchedOff = isFirst ? part.switchedOff : sumIfKnown(to.switchedOff, part.switchedOff);
  if (to.switchedOff && !part.lines.empty() && (isFirst || !to.lines.empty()))
    addLines(to.lines, part.lines);
  else
    to.lines.clear();
}

} // namespace

void KernelProfile::add(const KernelProfile& part) {
  addSwitchedOff(*this, part); // while the sums are still those of before
  launches += part.launches;
  deviceLaunches += part.deviceLaunches;
  grid = part.grid;
  block = part.block;
  dynamicShared = part.dynamicShared;
  blocks += part.blocks;
  memoryBlocks += part.memoryBlocks;
  warpInstructions += part.warpInstructions;
  threadInstructions += part.threadInstructions;
  lostToFinished += part.lostToFinished;
  lostToPartial += part.lostToPartial;
  lostToSequences += part.lostToSequences;
  seconds += part.seconds;
  laneCycles += part.laneCycles;
  if (timing && part.timing)
    timing->add(*part.timing);
  else if (part.timing)
    timing = part.timing;
  if (part.firstTouch)
    (firstTouch ? *firstTouch : firstTouch.emplace()) += *part.firstTouch;
  addAll(branches, part.branches);
  if (!switchedOff)
    for (BranchProfile& branch : branches)
      branch.switchedOff = 0;
  addAll(loops, part.loops);
  addAll(accesses, part.accesses);
}

} // namespace heddle::profile
