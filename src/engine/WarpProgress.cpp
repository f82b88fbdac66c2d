// SPDX-License-Identifier: Apache-2.0
//
// How lanes of a warp make progress that wait for each other or for other warps. A leaf that polls
// memory comes by the same block with the same values again and again: then it is stuck until
// somebody else writes. Steps, in this order:
//   1. lanes that wait at a join above it go on without it (Volta)
//   2. another leaf of the warp runs (Volta)
//   3. the warp says that it spins, and other warps and blocks run
// A loop that looks at a clock or sleeps waits too, though its values change; it may go on by
// itself when the time is over, so it is never said to hang. Other loops whose values change are
// not taken for stuck, so the account of an ordinary kernel is the same under both rules; now and
// then other warps of the block have a turn.
#include "engine/BlockRun.h"
#include "engine/WarpRun.h"

#include <algorithm>
#include <cstring>

namespace heddle::engine {
namespace {

constexpr int returnsThatProveIt = 4;
constexpr std::uint64_t pollsBeforeALook = 32;
constexpr std::uint8_t mostIdleLooks = 6;               ///< each doubles the polls before the next
constexpr std::uint64_t leastWindow = 8;                ///< polls
constexpr std::uint64_t pollsBeforeGivingWay = 1 << 15; ///< to other blocks
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

/// Another loop polls now: whatever was found of the last one, it is looked at soon, unless it has
/// been in vain before.
void WarpRun::lookLaterAt(const CompiledBlock& polling) {
  lookAt_ =
      std::min(lookAt_, polls_ + (pollsBeforeALook << idleLooks_[std::size_t(polling.pollLoop)]));
}

/// Whether the leaf has come back to a state several times: the same block with the same values,
/// after one turn of a loop or after many. When it does not within a number of polls, it looks
/// again, with another state, after more of them; until then other warps have a turn, since they
/// may be what it waits for.
bool WarpRun::looksStuck(const Entry& leaf, const CompiledBlock& polling) {
  if (leaf.block == noBlock)
    return false;
  const CompiledBlock* block = &leaf.function->blocks[std::size_t(leaf.block)];
  std::uint8_t& idle = idleLooks_[std::size_t(polling.pollLoop)];
  const std::uint64_t window = std::max(leastWindow, (pollsBeforeALook << idle) / 16);
  lookAt_ = polls_ + 1;
  if (anchorBlock_ == nullptr) {
    anchorBlock_ = block;
    anchorHash_ = hashOf(leaf.frame, leaf.function->frameSize) ^ leaf.mask;
    anchorUntil_ = polls_ + window;
    return false;
  }
  if (block == anchorBlock_ &&
      (hashOf(leaf.frame, leaf.function->frameSize) ^ leaf.mask) == anchorHash_) {
    anchorUntil_ = polls_ + window;
    idle = 0;
    return ++returns_ >= returnsThatProveIt;
  }
  if (polls_ < anchorUntil_)
    return false;
  anchorBlock_ = nullptr;
  returns_ = 0;
  progressed_ = true;
  if (polling.pollsTime) {
    givesWay_ = true;
    return true;
  }
  idle = std::min<std::uint8_t>(idle + 1, mostIdleLooks);
  lookAt_ = polls_ + (pollsBeforeALook << idle);
  if (!takesTurns_) { // else others have theirs as it is
    turnIsOver_ = true;
    givesWay_ = polls_ - gaveWayAt_ >= pollsBeforeGivingWay;
    gaveWayAt_ = givesWay_ ? polls_ : gaveWayAt_;
  }
  if (polls_ < pollsThatProveIt) {
    rotations_ = 0;
    return false;
  }
  polls_ = gaveWayAt_ = 0; // values change, but it polls for ever: a loop that counts its attempts
  lookAt_ = pollsThatProveIt / 2;
  givesWay_ = true;
  return true;
}

/// Steps 1 and 2. Returns false when nothing else of this warp can run.
bool WarpRun::makeRoom(Counters& counters) {
  if (policy_ == Reconvergence::Stack)
    return false;
  if (releaseArrived(ready_.back(), counters) != 0) {
    progressed_ = true;
    returns_ = 0;
    anchorBlock_ = nullptr;
    return true;
  }
  if (ready_.size() < 2 || rotations_ >= 2 * ready_.size()) {
    rotations_ = 0;
    return false;
  }
  ++rotations_;
  std::rotate(ready_.begin(), ready_.end() - 1, ready_.end());
  anchorBlock_ = nullptr;
  refocus(counters);
  return true;
}

/// Looks above a leaf for lanes that wait at a join, and lets them go on. Returns these lanes.
LaneMask WarpRun::releaseArrived(int leaf, Counters& counters) {
  for (int index = entries_[std::size_t(leaf)].parent; index >= 0;
       index = entries_[std::size_t(index)].parent) {
    Entry& waiting = entries_[std::size_t(index)];
    if (waiting.arrived == 0)
      continue;
    for (Entry& entry : entries_)
      if (entry.live)
        charge(entry, counters);
    if (waiting.block != waiting.join && waiting.block != noBlock) {
      const LaneMask arrived = waiting.arrived;
      splitAtJoin(index, counters);
      return arrived;
    }
    if (waiting.parent >= 0 && !waiting.ownsFrame) {
      // They wait at the join of the entry above, too.
      entries_[std::size_t(waiting.parent)].arrived |= waiting.arrived;
      waiting.mask &= ~waiting.arrived;
      waiting.arrived = 0;
    }
    if (!ready_.empty())
      refocus(counters);
  }
  return 0;
}

/// Nothing of the warp can run: lanes that wait at a join may be the ones that others wait for at a
/// barrier or a vote. They go on, and must come there. Returns whether any did.
bool WarpRun::letOthersCome(const std::vector<Waiting>& waiting, Counters& counters) {
  for (const Waiting& one : waiting)
    if (const LaneMask released = releaseArrived(one.entry, counters); released != 0) {
      strayed_ |= released;
      return true;
    }
  return false;
}

/// The leaves that are to run their block together with one that waits, if all have come.
std::vector<WarpRun::Waiting*> WarpRun::companyOf(Waiting& first) {
  std::vector<Waiting*> company = {&first};
  const Entry& place = entries_[std::size_t(first.entry)];
  LaneMask present = place.mask, wanted = first.wanted;
  for (bool more = true; more;) {
    more = false;
    for (Waiting& other : atWarpBarrier_) {
      const Entry& entry = entries_[std::size_t(other.entry)];
      if (!other.together || entry.frame != place.frame || entry.block != place.block ||
          (entry.mask & wanted & ~present) == 0)
        continue;
      company.push_back(&other);
      present |= entry.mask;
      wanted |= other.wanted;
      more = true;
    }
  }
  const bool complete = (wanted & (live_ | strayed_) & ~present) == 0;
  return complete ? company : std::vector<Waiting*>{};
}

/// Runs a block that begins with a function of the warp for all the lanes that have come to it. It
/// runs once; each leaf counts it for its own lanes and ends it for itself.
bool WarpRun::runTogether(Counters& counters) {
  for (Waiting& first : atWarpBarrier_) {
    const std::vector<Waiting*> company =
        first.together ? companyOf(first) : std::vector<Waiting*>{};
    if (company.empty())
      continue;
    LaneMask lanes = 0;
    for (const Waiting* one : company)
      lanes |= entries_[std::size_t(one->entry)].mask;
    strayed_ &= ~lanes;
    const Entry leader = entries_[std::size_t(first.entry)];
    if (!uniforms_.empty())
      useUniformsOf(leader);
    const CompiledFunction& function = *leader.function;
    const LaneMask taken =
        function.blocks[std::size_t(leader.block)].code(leader.frame, context_, lanes);
    for (Waiting* one : company) {
      Entry& entry = entries_[std::size_t(one->entry)];
      entry.hasRun = true;
      entry.taken = taken;
      if (entry.uniformGroup != leader.uniformGroup)
        uniforms_[entry.uniformGroup] = {
            leader.frame,
            {leader.frame + function.uniformBegin, leader.frame + function.uniformEnd}};
      ready_.push_back(one->entry);
      one->entry = -1;
    }
    std::erase_if(atWarpBarrier_, [](const Waiting& waiting) { return waiting.entry < 0; });
    refocus(counters);
    return true;
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
  ++focus_;
  for (int index = ready_.back(); index >= 0; index = entries_[std::size_t(index)].parent) {
    entries_[std::size_t(index)].focus = focus_;
    activate(index);
  }
  for (Entry& entry : entries_)
    if (entry.live && entry.active && entry.focus != focus_)
      charge(entry, counters);
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
