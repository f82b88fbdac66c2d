// SPDX-License-Identifier: Apache-2.0
//
// Runs one warp: walks basic blocks with an active mask, splits it at divergent branches and joins
// it again, and accounts for every lane slot.
//
// An entry stands for lanes that go together up to a join. A divergent branch makes its entry wait
// at the join and starts one entry per side, so entries form a tree whose leaves can run:
//
//   if (c) A else B; J          all, waits at J
//                               +- lanes with c, runs A up to J
//                               +- lanes without c, will run B up to J
//
// The newest leaf runs first, which makes the tree a stack. While an entry or one below it runs,
// the lanes of its parent that it lacks are lost to the branch that made it; the loss is charged
// when it stops running: instructions since it began x lanes. Lanes that wait cannot return, so
// that number does not change meanwhile.
//
// Lanes that leave a loop from inside do not keep the others from meeting in it: they leave the
// entries that wait there, and wait behind the loop (leaveLoop). A lane that returns from the
// kernel leaves all entries, and is lost to the branch that let it go.
//
// Under Volta's rule every lane makes progress: when the running leaf only waits for memory to
// change, another leaf runs, and if there is none, lanes that wait at a join go on without the
// others (WarpProgress.cpp).
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/Counters.h"
#include "engine/FramePool.h"
#include "engine/Launch.h"
#include "engine/LoopVisits.h"
#include "engine/TraceWindows.h"
#include "engine/WarpContext.h"
#include "engine/WarpRecording.h"
#include "support/LaneMask.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::engine {

inline std::uint64_t lanesIn(LaneMask mask) {
  return std::uint64_t(countLanes(mask));
}

enum class WarpState {
  Running,        ///< not yet looked at
  AtPlainBarrier, ///< all its live lanes wait at a barrier, together and without a vote
  AtBarrier,      ///< what can run has run; some lanes wait at a barrier of the block
  Spinning,       ///< waits for memory to change: others should run
  Finished,
  Faulted, ///< the block knows why
};

class WarpRun {
public:
  /// `existing` are the lanes that have a thread.
  void start(const CompiledKernel& kernel, WarpContext& context, FramePool& frames,
             Reconvergence policy, LaneMask existing, TraceWindows::Limits traced);

  /// Of loops that poll.
  std::uint64_t instructionsPolled() const { return polled_; }
  /// Instructions of lanes, of a warp that has ended.
  std::uint64_t laneInstructions() const { return laneInstructions_; }
  /// That what was traced of it stands for.
  std::uint64_t instructionsCovered() const { return windows_.covered(context_->instructions); }

  /// Records all that it runs, from its start on.
  void recordIn(std::unique_ptr<WarpRecording> recording);
  std::unique_ptr<WarpRecording> takeRecording();

  /// Runs on until the warp waits or has ended.
  WarpState run(Counters& counters);

  /// Lanes that wait at a barrier of the block; all live ones, if the program is right.
  LaneMask lanesAtBarrier() const;
  LaneMask liveLanes() const { return live_; }
  LaneMask threads() const { return existing_; } ///< lanes that have one
  int barrierSite() const;                       ///< fault site of one of these barriers
  /// Lanes that a barrier lacks: 0 if the program is right.
  LaneMask missingAtBarrier() const;
  void releaseBarrier(Counters& counters) {
    if (!atBarrier_.empty())
      releaseApart(counters);
  }

  /// Whether the last run got anywhere: false when it came back Spinning as it went.
  bool progressed() const { return progressed_; }
  /// Whether it ended since it polls, though it may yet go on by itself: it looks at a clock, or
  /// counts how often it has looked.
  bool gaveWay() const { return givesWay_; }

  /// For messages: the lanes that run now, and where they polled last.
  LaneMask runningLanes() const;
  int pollSite() const { return pollSite_; }
  bool othersWait() const { return runningLanes() != live_; }

  /// Charges what is open, for a run that ends early.
  void settle(Counters& counters);
  void giveBackFrames();

private:
  struct Entry {
    const CompiledFunction* function = nullptr;
    std::byte* frame = nullptr;
    int block = 0;
    int join = noBlock;
    LaneMask mask = 0;
    int parent = -1;
    int children = 0;
    LaneMask arrived = 0; ///< lanes of former children that wait at the join
    int owner = -1;       ///< branch that made it
    int side = 0;
    bool active = false; ///< it, or an entry below it, is the one that runs
    bool ownsFrame = false;
    bool live = false;   ///< not free for use
    bool hasRun = false; ///< its block, together with lanes of others; `taken` is the result
    LaneMask taken = 0;
    int maskedLanes = 0;
    std::uint64_t beganAt = 0;
    unsigned stackBytes = 0;
    int uniformGroup = 0;
    unsigned focus = 0; ///< refocus() that it was in
  };

  struct Waiting {
    int entry;
    LaneMask wanted; ///< lanes to meet
    int site;
    bool together = false; ///< its block is to run with them
  };

  /// A divergent branch whose sides have no entries: they only compute, and are done before the
  /// running leaf goes on at the join. `enterSides` makes entries of them when they do more.
  ///
  /// Also what leaveLoop() makes entries of. Behind: N, whose other side waits behind a loop.
  /// Leaving: lanes on their way there; `pending` are those that go on in the loop, and what lies
  /// from `behind` up to here in the stack is theirs.
  struct QuickSplit {
    enum class Kind : std::uint8_t { Sides, Behind, Leaving };

    const CompiledBlock* block;
    LaneMask mask;    ///< of both sides
    int end;          ///< where these lanes stop together
    int side;         ///< that runs
    LaneMask lanes;   ///< of this side
    LaneMask pending; ///< of the other side, if it is to run yet
    std::uint64_t beganAt;
    int join; ///< where its sides stop
    Kind kind = Kind::Sides;
    std::size_t behind = 0; ///< of Leaving: place of its N in the stack
  };

  enum class LeafEnd { Same, Changed, Stuck, Faulted, AtPlainBarrier, AtBarrier };
  LeafEnd runLeaf(Counters& counters);
  LeafEnd lookAround(const CompiledBlock& block, Counters& counters);
  bool mayGoOn();
  bool endSpecialBlock(const CompiledBlock& block, Counters& counters);
  bool splitQuickly(const CompiledBlock& block, LaneMask taken, LaneMask& mask, int& at, int& end,
                    Counters& counters);
  bool leaveQuickly(const CompiledBlock& block, int side, LaneMask lanes, LaneMask& mask, int& at,
                    int& end, Counters& counters);
  std::optional<std::size_t> moveBehind(const CompiledBlock& block, int side, LaneMask lanes,
                                        LaneMask mask, int& end, Counters& counters);
  int enterBehind(const QuickSplit& split);
  void enterLeaving(const QuickSplit& split, int waiting);
  void chargeSide(QuickSplit& split, Counters& counters) const;
  void endSide(LaneMask& mask, int& at, int& end, Counters& counters);
  void enterSides();
  int addEntry(const Entry& entry);
  void activate(int index);
  void charge(Entry& entry, Counters& counters);
  void arrive(Counters& counters);
  void retire(LaneMask lanes, Counters& counters);
  void split(const CompiledBlock& block, LaneMask taken, Counters& counters);
  int addSide(const CompiledBlock& block, int parent, int side, LaneMask lanes);
  /// Whether an edge leaves a loop in which the entry is to meet others.
  static bool leavesJoin(const Entry& entry, const CompiledBlock& block, int side) {
    return leavesJoin(*entry.function, entry.join, block, side);
  }
  static bool leavesJoin(const CompiledFunction& function, int join, const CompiledBlock& block,
                         int side) {
    return block.leaves[side] >= 0 && function.isIn(block.leaves[side], join);
  }
  void leaveLoop(int leaf, const CompiledBlock& block, int side, LaneMask lanes,
                 Counters& counters);
  int placeBehind(int inside, const CompiledBlock& block, int side, int behind) const;
  int waitBehind(int outermost, const CompiledBlock& block, int side, int behind);
  void splitFromLoop(const CompiledBlock& block, int side, LaneMask lanes, Counters& counters);
  /// Lanes of an entry, or of a quick split of it.
  void passEdge(int entry, const CompiledBlock& block, int side, LaneMask lanes, LaneMask of,
                Counters& counters);
  void countSplit(const CompiledBlock& block, LaneMask mask, LaneMask taken, Counters& counters);
  void call(const CompiledBlock& block, Counters& counters);
  bool pushCall(const CompiledBlock& block, int caller, int function, LaneMask mask);
  /// All lanes that run take the same side.
  void countBranch(const CompiledBlock& block, int side, Counters& counters) const {
    BranchCounters& branch = counters.branches[std::size_t(block.branch)];
    branch.executions += block.startsBranch ? 1 : 0;
    branch.lanes[side] += context_->runLanes;
  }
  void takeEdge(const CompiledBlock& block, int side, LaneMask lanes, Counters& counters) {
    if (block.repeats[side] >= 0)
      ++trips_[std::size_t(block.repeats[side])];
    else if (block.loopEdges[side] >= 0 && account_)
      takeLoopEdge(kernel_->loopEdges[std::size_t(block.loopEdges[side])], lanes, counters);
  }
  void takeLoopEdge(const LoopEdge& edge, LaneMask lanes, Counters& counters);
  bool waitForWarp(LaneMask wanted, const CompiledBlock& block);
  void awaitLanes(const CompiledBlock& block, Counters& counters);
  bool releaseWarpBarriers();
  bool strayed(const Waiting& waiting, LaneMask present) const;
  void chargeFinished(Counters& counters);
  void countRun(Counters& counters);
  void runAs(LaneMask mask, Counters& counters);
  profile::LaneUse laneUse(int leaf) const;
  std::uint32_t numberOf(profile::LaneUse use);
  /// Numbers of who has the lanes while a leaf runs, once they are asked for.
  struct LeafUse {
    std::optional<std::uint32_t> traced, recorded;
  };
  void noteArrival(int entry, const CompiledBlock& block, int side, LaneMask lanes, LaneMask of);
  LaneMask runBlock(const CompiledBlock& block, std::byte* frame, LaneMask mask);
  LaneMask runWatched(const Entry& leaf, int block, LeafUse& use);
  void lookLater();
  bool goesOnTracing();
  void resumeTrace();
  void note(const Entry& leaf, int block, std::optional<std::uint32_t>& use);
  profile::LaneOwners laneOwners(int leaf) const;
  void record(int block, std::optional<std::uint32_t>& owners);
  void recordEdge(int entry, const CompiledBlock& block, int side, LaneMask lanes,
                  LaneMask waiting);
  void keepRecording(bool goesOn);
  void releaseApart(Counters& counters);

  // WarpProgress.cpp
  bool looksStuck(const Entry& leaf, const CompiledBlock& polling);
  void lookLaterAt(const CompiledBlock& polling);
  bool makeRoom(Counters& counters);
  LaneMask releaseArrived(int leaf, Counters& counters);
  bool letOthersCome(const std::vector<Waiting>& waiting, Counters& counters);
  bool runTogether(Counters& counters);
  std::vector<Waiting*> companyOf(Waiting& first);
  void splitAtJoin(int waiting, Counters& counters);
  void refocus(Counters& counters);
  void useUniformsOf(const Entry& leaf);

  const CompiledKernel* kernel_ = nullptr;
  WarpContext* context_ = nullptr;
  FramePool* frames_ = nullptr;
  Reconvergence policy_ = Reconvergence::Volta;
  bool account_ = true;
  profile::WarpTrace* trace_ = nullptr; ///< while the warp is traced
  profile::WarpTrace* pausedTrace_ = nullptr;
  TraceWindows windows_;
  std::uint64_t resumeAt_ = TraceWindows::never; ///< instructions, after which to trace again
  bool hasMet_ = false;                          ///< other warps, at a barrier
  std::unique_ptr<WarpRecording> recording_;
  bool records_ = false; ///< until the recording is full
  bool watched_ = false; ///< traced or recorded
  LaneMask existing_ = 0;
  std::uint64_t missingLanes_ = 0; ///< that have no thread
  LaneMask live_ = 0;
  LaneMask runMask_ = 0;            ///< lanes of the leaf that runs
  std::uint64_t ranSince_ = 0;      ///< instructions when it began
  std::uint64_t finishedSince_ = 0; ///< when the set of finished lanes last changed
  struct Finished {
    int branch; ///< that let them return; -1 for none
    LaneMask lanes;
  };
  std::vector<Finished> finished_;
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::uint32_t> uses_; ///< in the trace, by hash
  std::vector<int> free_;
  unsigned focus_ = 0;             ///< how often refocus() was called
  std::vector<int> ready_;         ///< leaves that can run; the last one does
  std::vector<QuickSplit> splits_; ///< of the running leaf, outermost first
  std::vector<Waiting> atBarrier_; ///< where lanes come apart; if they all come as one leaf, it
                                   ///< stays the one to run
  int barrierSite_ = -1;           ///< of the barrier they came to last
  std::vector<Waiting> atWarpBarrier_;
  LaneMask strayed_ = 0; ///< lanes that were let go on from a join since others wait for them
  std::vector<std::uint64_t> trips_; ///< of each loop, in the current visit
  LoopVisits visits_;

  // Spin detection
  std::uint64_t polls_ = 0;
  std::uint64_t laneInstructions_ = 0; ///< instructions, each with the lanes that were active
  std::uint64_t polled_ = 0;           ///< instructions of loops that poll, in turn after turn
  const CompiledBlock* lastPoll_ = nullptr;
  std::vector<std::uint8_t>
      idleLooks_;            ///< of each loop that polls: at values that changed, in a row
  std::uint64_t told_ = 0;   ///< instructions that the block knows of
  std::uint64_t lookAt_ = 0; ///< number of polls at which to look next
  const CompiledBlock* anchorBlock_ = nullptr; ///< a state that the leaf may come back to
  std::uint64_t anchorHash_ = 0;
  std::uint64_t anchorUntil_ = 0; ///< number of polls up to which to look for it
  int returns_ = 0;               ///< to that state
  std::uint64_t gaveWayAt_ = 0;   ///< number of polls when other blocks last had a turn
  std::size_t rotations_ = 0;
  int pollSite_ = -1;
  bool progressed_ = true;
  bool takesTurns_ = false, turnIsOver_ = false;
  bool givesWay_ = false; ///< it polls, and its values change: others should run, it may go on

  // Uniform slots of leaves that run the same code apart; group 0 is the only one at first.
  struct UniformGroup {
    std::byte* frame;
    std::vector<std::byte> slots;
  };
  std::map<int, UniformGroup> uniforms_;
  std::map<std::byte*, int> groupInFrame_;
  int lastGroup_ = 0;
};

/// Adds what has run since the running lanes last changed to the counters.
inline void WarpRun::countRun(Counters& counters) {
  const std::uint64_t ran = context_->instructions - ranSince_;
  ranSince_ = context_->instructions;
  counters.warpInstructions += ran;
  counters.threadInstructions += ran * context_->runLanes;
  laneInstructions_ += ran * context_->runLanes;
  counters.lostToPartial += ran * missingLanes_;
}

inline void WarpRun::runAs(LaneMask mask, Counters& counters) {
  countRun(counters);
  runMask_ = mask;
  context_->runLanes = lanesIn(mask);
}

inline void WarpRun::chargeSide(QuickSplit& split, Counters& counters) const {
  BranchCounters& branch = counters.branches[std::size_t(split.block->branch)];
  const std::uint64_t ran = context_->instructions - split.beganAt;
  branch.lostSlots += ran * lanesIn(split.mask & ~split.lanes);
  branch.pathInstructions[split.side] += ran;
  split.beganAt = context_->instructions;
}

} // namespace heddle::engine
