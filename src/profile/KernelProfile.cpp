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

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  executions += other.executions;
  lanes += other.lanes;
  transactions += other.transactions;
  ideal += other.ideal;
  return *this;
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

bool KernelProfile::addsUp() const {
  return threadInstructions + lostToBranches() + lostToFinished + lostToPartial == slots();
}

namespace {

template <class Record> void addAll(std::vector<Record>& to, const std::vector<Record>& parts) {
  assert(to.size() == parts.size() && "parts of one kernel");
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] += parts[i];
}

} // namespace

void KernelProfile::add(const KernelProfile& part) {
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
  seconds += part.seconds;
  laneCycles += part.laneCycles;
  if (timing && part.timing)
    timing->add(*part.timing);
  else if (part.timing)
    timing = part.timing;
  addAll(branches, part.branches);
  addAll(loops, part.loops);
  addAll(accesses, part.accesses);
}

} // namespace heddle::profile
