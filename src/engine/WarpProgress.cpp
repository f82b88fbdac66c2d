// SPDX-License-Identifier: Apache-2.0
//
// How lanes of a warp make progress that wait for each other or for other warps. A leaf that polls
// memory comes by the same block with the same values again and again: then it is stuck until
// somebody else writes. Steps, in this order:
//   1. lanes that wait at a join above it go on without it (Volta)
//   2. another leaf of the warp runs (Volta)
//   3. the warp says that it spins, and other warps and blocks run
// Loops that compute, and loops whose values change, are never taken for stuck, so the account of
// an ordinary kernel is the same under both rules.
#include "engine/BlockRun.h"
#include "engine/WarpRun.h"

#include <algorithm>
#include <cstring>

namespace heddle::engine {
namespace {

constexpr int statesThatProveIt = 4;
constexpr std::uint64_t pollsThatProveIt = std::uint64_t{1} << 22;

std::uint64_t hashOf(const std::byte* begin, std::size_t size) {
  std::uint64_t hash = 0x9e37'79b9'7f4a'7c15u;
  for (std::size_t i = 0; i + sizeof(std::uint64_t) <= size; i += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, begin + i, sizeof word);
    hash = (hash ^ word) * 0x0000'0100'0000'01b3u;
    hash ^= hash >> 29;
  }
  return hash;
}

} // namespace

/// Whether the leaf has come by here several times with the same values. When it has not, looks
/// again after as many polls as there were so far.
bool WarpRun::looksStuck(const Entry& leaf) {
  if (leaf.block == noBlock)
    return false;
  const CompiledBlock* block = &leaf.function->blocks[std::size_t(leaf.block)];
  if (lastBlock_ != nullptr && block != lastBlock_ && polls_ < lookAt_ + 64)
    return false; // wait until it comes by the block that was looked at
  const std::uint64_t hash = hashOf(leaf.frame, leaf.function->frameSize) ^ leaf.mask;
  if (block == lastBlock_ && hash == lastHash_) {
    lookAt_ = polls_ + 1;
    return ++sameStates_ >= statesThatProveIt;
  }
  const bool first = block != lastBlock_;
  lastBlock_ = block;
  lastHash_ = hash;
  lookAt_ = polls_ + 1;
  if (first)
    return false;
  sameStates_ = 0;
  rotations_ = 0;
  progressed_ = true;
  lookAt_ = polls_ + std::min(polls_, std::uint64_t{1} << 16);
  if (polls_ < pollsThatProveIt)
    return false;
  polls_ = 0; // values change, but it polls for ever: a loop that counts its attempts
  lookAt_ = pollsThatProveIt / 2;
  return true;
}

/// Steps 1 and 2. Returns false when nothing else of this warp can run.
bool WarpRun::makeRoom(Counters& counters) {
  if (policy_ == Reconvergence::Stack)
    return false;
  if (releaseArrived(counters)) {
    progressed_ = true;
    sameStates_ = 0;
    lastBlock_ = nullptr;
    return true;
  }
  if (ready_.size() < 2 || rotations_ >= 2 * ready_.size()) {
    rotations_ = 0;
    return false;
  }
  ++rotations_;
  std::rotate(ready_.begin(), ready_.end() - 1, ready_.end());
  lastBlock_ = nullptr;
  refocus(counters);
  return true;
}

/// Looks above the running leaf for lanes that wait at a join, and lets them go on.
bool WarpRun::releaseArrived(Counters& counters) {
  for (int index = entries_[std::size_t(ready_.back())].parent; index >= 0;
       index = entries_[std::size_t(index)].parent) {
    Entry& waiting = entries_[std::size_t(index)];
    if (waiting.arrived == 0)
      continue;
    for (Entry& entry : entries_)
      if (entry.live)
        charge(entry, counters);
    if (waiting.block != waiting.join && waiting.block != noBlock) {
      splitAtJoin(index, counters);
      return true;
    }
    if (waiting.parent < 0 || waiting.ownsFrame) {
      refocus(counters);
      continue;
    }
    // They wait at the join of the entry above, too.
    entries_[std::size_t(waiting.parent)].arrived |= waiting.arrived;
    waiting.mask &= ~waiting.arrived;
    waiting.arrived = 0;
    refocus(counters);
  }
  return false;
}

/// An entry waits at J, some of its lanes have arrived: these go on as an entry of their own, and
/// the others will follow as another one; they meet again at the next join.
///
///   P, waits at J       ==>    P, waits at its own join
///   +- S, still runs           +- lanes that had arrived, run from J
///                              +- the others, wait at J
///                                 +- S, still runs
void WarpRun::splitAtJoin(int waiting, Counters& counters) {
  Entry& parent = entries_[std::size_t(waiting)];
  Entry late = parent;
  late.mask = parent.mask & ~parent.arrived;
  late.parent = waiting;
  late.arrived = 0;
  late.active = late.ownsFrame = false;
  for (const Entry& entry : entries_)
    if (entry.live && entry.parent == waiting && entry.owner >= 0)
      late.owner = entry.owner;
  Entry early = late;
  early.mask = parent.arrived;
  early.children = 0;
  early.uniformGroup = ++lastGroup_;
  parent.block = parent.join;
  parent.arrived = 0;
  parent.children = 2;
  // Both run the same code apart: each keeps uniform values of its own.
  useUniformsOf(late);
  const CompiledFunction& function = *late.function;
  uniforms_[early.uniformGroup] = {
      late.frame, {late.frame + function.uniformBegin, late.frame + function.uniformEnd}};
  const int lateIndex = addEntry(late);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].live && entries_[i].parent == waiting && int(i) != lateIndex)
      entries_[i].parent = lateIndex;
  ready_.push_back(addEntry(early));
  refocus(counters);
}

/// Makes exactly the running leaf and those above it active.
void WarpRun::refocus(Counters& counters) {
  std::vector<bool> wanted(entries_.size(), false);
  std::vector<int> chain;
  for (int index = ready_.back(); index >= 0; index = entries_[std::size_t(index)].parent) {
    wanted[std::size_t(index)] = true;
    chain.push_back(index);
  }
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].live && entries_[i].active && !wanted[i])
      charge(entries_[i], counters);
  for (auto index = chain.rbegin(); index != chain.rend(); ++index)
    activate(*index);
  if (!uniforms_.empty())
    useUniformsOf(entries_[std::size_t(ready_.back())]);
}

/// Puts the leaf's uniform values into its frame, and those that were there aside.
void WarpRun::useUniformsOf(const Entry& leaf) {
  int& inFrame = groupInFrame_[leaf.frame];
  if (inFrame == leaf.uniformGroup)
    return;
  std::byte* begin = leaf.frame + leaf.function->uniformBegin;
  std::byte* end = leaf.frame + leaf.function->uniformEnd;
  uniforms_[inFrame] = {leaf.frame, {begin, end}};
  if (const auto kept = uniforms_.find(leaf.uniformGroup); kept != uniforms_.end())
    std::ranges::copy(kept->second.slots, begin);
  inFrame = leaf.uniformGroup;
}

} // namespace heddle::engine
