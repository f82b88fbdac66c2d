// SPDX-License-Identifier: Apache-2.0
#include "timing/SmReplay.h"

#include "timing/L1Access.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <span>
#include <utility>

namespace heddle::timing {
namespace {

using profile::AccessKind;
using profile::MemorySpace;
using profile::Step;
using profile::StepKind;

/// Requests that come at random wait for one another before the memory is busy all the time. Both
/// numbers are guesses: no measurement of ours tells them apart from others.
constexpr double mostLoad = 0.9;    ///< from here on waiting is the queue's
constexpr double loadCycles = 4000; ///< over which the load is taken
/// Of what memory takes longer than the L2, what all accesses wait for; the rest is each one's
/// luck. From an H200: docs/design/timing.md.
constexpr double sureShare = 0.8;

/// Until a memory instruction has read its registers: an estimate.
constexpr double operandsRead = 12;

constexpr int noUnit = -1, noWarp = -1;
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// A warp whose next step can issue from a time on, as far as its operands go.
struct Event {
  double time;
  std::uint64_t order; ///< of those that are ready: first come, first served
  int warp;

  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : order > other.order;
  }
};

/// Warps that wait for a unit, in order. A warp is in one list at most, so it holds the link.
struct ReadyList {
  int first = 0;
  int last = 0;
};

/// Issues at most one instruction a slot, of a warp whose unit is free: the one that issued last if
/// it can go on, else from Volta on one of the oldest block, and of those the one that has been
/// ready longest. On an H200, of 6 blocks that have a warp on each scheduler, which waits 4 cycles
/// for every product, the first 4 run as if alone, and the others come when these are done; warps
/// of one block end together (bench/cuda/device_turns.cu).
struct Scheduler {
  double free = 0;                                   ///< from then on it can issue
  std::array<double, profile::unitCount> ownUnits{}; ///< when each is free
  std::array<double*, profile::unitCount> units{};   ///< its own, or those of the multiprocessor
  double busy = 0;                                   ///< cycles in which it issued
  int warps = 0;                                     ///< that have not ended
  int places = 0;                                    ///< of warps whose block has not ended
  std::priority_queue<Event, std::vector<Event>, std::greater<>> waiting;
  unsigned ready = 0; ///< a bit for each unit with a list that is not empty
  std::array<ReadyList, profile::unitCount> lists;
  int last = noWarp;    ///< that issued
  int goesOn = noWarp;  ///< the same, where it can issue again at once: it does before others
  double fetchFree = 0; ///< when the next warp that jumps can be served
};

struct Warp {
  const profile::WarpTrace* trace = nullptr;
  std::size_t end = 0; ///< of the executions to replay
  std::size_t execution = 0;
  std::size_t step = 0;
  std::size_t traffic = 0;
  const Step* next = nullptr; ///< to issue; the warp waits or is ready
  Event event{};              ///< that made it ready
  std::uint64_t age = 0;      ///< of its block: less for one that began earlier
  int link = 0;               ///< the one behind it in its list
  double readyAt = 0;         ///< when it may issue its next step, operands aside
  int slot = 0;               ///< its thread block's place
  std::size_t scheduler = 0;
  double runStart = 0;        ///< place in the code where it jumped to last
  std::vector<double> values; ///< when each can be used
  std::array<double, profile::scoreboardCount> scoreboards{}; ///< when each is clear
  // Of the execution whose planned steps it issues:
  std::size_t entered = nowhere;
  bool isLeftOut = false;                       ///< an earlier one stood for it
  std::size_t trafficBegin = 0, trafficEnd = 0; ///< of what its steps may have moved
  std::vector<std::size_t> usedTraffic;         ///< of that, by steps so far
  std::size_t behindAccesses = 0; ///< the execution behind the last one whose steps access memory
  std::vector<std::pair<std::size_t, unsigned>> rounds; ///< done of blocks with more than one
  std::uint64_t issued = 0;                             ///< steps
  WrittenLines written;
};

struct BlockSlot {
  int live = 0;    ///< warps that have not ended
  int waiting = 0; ///< of those, at the barrier
  double latest = 0;
  double stored = 0; ///< when all that was written is
  std::vector<int> warps;
  std::vector<int> atBarrier;
  std::size_t told = nowhere;  ///< its block in the timeline
  std::vector<double> sectors; ///< when each is in the L1
};

class Multiprocessor {
public:
  Multiprocessor(const profile::KernelTrace& trace, const DeviceCosts& costs,
                 const ReplaySettings& settings)
      : trace_(trace), costs_(costs), settings_(settings),
        schedulers_(std::size_t(costs.schedulers)) {
    double place = 0;
    for (const profile::BlockShape& block : trace.shape->blocks) {
      places_.push_back(place);
      for (const Step& step : block.steps)
        place += costs.issuesOf(step);
      accesses_.push_back(std::ranges::any_of(block.steps, [](const Step& step) {
        return step.kind == StepKind::Access && step.site >= 0;
      }));
    }
    places_.push_back(place);
    for (Scheduler& scheduler : schedulers_)
      for (std::size_t unit = 0; unit < profile::unitCount; ++unit)
        scheduler.units[unit] = isOwn(unit) ? &scheduler.ownUnits[unit] : &unitFree_[unit];
  }

  ReplayResult run();

private:
  /// That the warp runs.
  const profile::BlockShape& blockOf(const Warp& warp) const {
    return trace_.shape->blocks[warp.trace->executions[warp.execution].block];
  }
  void enter(Warp& warp, const profile::BlockShape& block) const;
  bool isRoundOfEarlier(Warp& warp, std::size_t block) const;
  profile::Traffic plannedTraffic(Warp& warp, const Step& step) const;
  void makeSlots();
  std::size_t chooseBlock() const;
  double random();
  std::size_t chooseScheduler();
  void beginBlock(int slot, double time);
  void endWarp(int number, double time);
  void arrive(int number, double time);
  void release(BlockSlot& slot);
  const Step* nextStep(Warp& warp);
  double earliest(const Warp& warp, const Step& step) const;
  void issue(int number, double time);
  double access(Warp& warp, const Step& step, double time);
  double globalAccess(Warp& warp, const Touched& touched, const Step& step,
                      const profile::Traffic& traffic, double time);
  double write(Warp& warp, const Step& step, const Touched& touched,
               const profile::Traffic& traffic, double time);
  double move(const Step& step, double fresh, double newPairs, double time);
  double constantAccess(const profile::Traffic& traffic, double time);
  double fromDram(const Step& step) const;
  double afar(const Step& step) const;
  double crowded(double time, double moving);
  profile::Traffic trafficOf(Warp& warp, const Step& step) const;
  bool isOwn(std::size_t unit) const {
    return costs_.isDivided && unit != std::size_t(profile::Unit::LoadStore);
  }
  std::size_t following(const Warp& warp) const;
  bool partsHere(const Warp& warp) const;
  double jump(Warp& warp, double time);
  bool isFree(const Scheduler& scheduler, int number) const;
  void proceed(int number);
  void noteBegin(int slot, const profile::BlockTrace& block, double time);
  void noteEnd(const BlockSlot& slot, int warp, double time);
  double nextIssue(const Scheduler& scheduler) const;
  void wake(Scheduler& scheduler, double time);
  bool isBefore(int one, int other) const;
  void insert(ReadyList& list, int warp);
  int choose(const Scheduler& scheduler, double time) const;
  int take(Scheduler& scheduler, int unit) const;

  const profile::KernelTrace& trace_;
  const DeviceCosts& costs_;
  const ReplaySettings& settings_;
  std::vector<double> places_; ///< of the blocks in the code, in instructions
  std::vector<bool> accesses_; ///< whether steps of the block access memory
  std::vector<Warp> warps_;
  std::vector<BlockSlot> slots_;
  std::uint64_t order_ = 0;
  std::int64_t nextBlock_ = 0;
  std::vector<Scheduler> schedulers_;
  std::array<double, profile::unitCount> unitFree_{};
  std::array<double, profile::unitCount> unitBusy_{};
  double memoryFree_ = 0;
  double writeFree_ = 0; ///< of the way to the L2
  double writeBusy_ = 0;
  double load_ = 0;      ///< of the memory: share of the last cycles in which it was busy
  double loadTime_ = 0;  ///< when that was worked out
  double nextStart_ = 0; ///< of a block
  double barrierFree_ = 0;
  double constantFree_ = 0;
  std::uint64_t random_ = 1;
  std::size_t toldWarps_ = 0; ///< in the timeline
  ReplayResult result_;
};

void Multiprocessor::makeSlots() {
  const std::size_t perBlock = trace_.blocks.front().warps.size();
  const auto resident = std::size_t(std::min<std::int64_t>(settings_.resident, settings_.blocks));
  slots_.resize(resident);
  warps_.resize(resident * perBlock);
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    warps_[i].slot = int(i / perBlock);
    slots_[i / perBlock].warps.push_back(int(i));
  }
}

/// From 0 to below 1; the same numbers in every replay.
double Multiprocessor::random() {
  random_ = random_ * 6364136223846793005U + 1442695040888963407U;
  return double(random_ >> 33) * 0x1p-31;
}

/// The scheduler of a block's first warp, the others follow in turn: the one with the fewest places
/// taken; of equal ones any. A warp's number in its block does not tell its scheduler, or else the
/// one of all blocks' first warps would have the most work in many kernels.
std::size_t Multiprocessor::chooseScheduler() {
  const std::size_t count = schedulers_.size();
  const auto first = std::size_t(random() * double(count));
  std::size_t best = first;
  for (std::size_t i = 1; i < count; ++i)
    if (const std::size_t other = (first + i) % count;
        schedulers_[other].places < schedulers_[best].places)
      best = other;
  return best;
}

/// In the order of the grid: neighbours run at the same time, and may be alike.
std::size_t Multiprocessor::chooseBlock() const {
  const auto size = std::int64_t(trace_.blocks.size());
  const std::int64_t at = nextBlock_ * size / std::max(settings_.span, settings_.blocks);
  return (settings_.first + std::size_t(at)) % trace_.blocks.size();
}

void Multiprocessor::noteBegin(int slot, const profile::BlockTrace& block, double time) {
  profile::Timeline* const timeline = settings_.timeline;
  if (timeline == nullptr)
    return;
  BlockSlot& place = slots_[std::size_t(slot)];
  place.told = nowhere;
  toldWarps_ += place.warps.size();
  if (timeline->blocks.size() >= profile::Timeline::mostBlocks ||
      toldWarps_ > profile::Timeline::mostWarps) {
    ++timeline->more;
    return;
  }
  const auto begin = std::uint32_t(time);
  place.told = timeline->blocks.size();
  timeline->blocks.push_back({.number = std::uint32_t(block.number),
                              .slot = std::uint32_t(slot),
                              .begin = begin,
                              .end = begin,
                              .warps = {place.warps.size(), {begin, begin}}});
}

void Multiprocessor::noteEnd(const BlockSlot& slot, int warp, double time) {
  if (settings_.timeline == nullptr || slot.told == nowhere)
    return;
  profile::Timeline::Block& block = settings_.timeline->blocks[slot.told];
  const auto end = std::uint32_t(time);
  block.warps[std::size_t(warp - slot.warps.front())].end = end;
  block.end = std::max(block.end, end);
}

void Multiprocessor::beginBlock(int slot, double time) {
  if (nextBlock_ >= settings_.blocks)
    return;
  const profile::BlockTrace& block = trace_.blocks[chooseBlock()];
  ++nextBlock_;
  time = std::max(time, nextStart_);
  nextStart_ = time + settings_.blockInterval;
  BlockSlot& place = slots_[std::size_t(slot)];
  place.live = int(place.warps.size());
  place.waiting = 0;
  place.latest = 0;
  place.sectors.assign(block.sectors, never);
  for (const std::uint32_t line : block.keptLines)
    std::fill_n(place.sectors.begin() + std::ptrdiff_t(line * profile::sectorsOfALine),
                profile::sectorsOfALine, 0.0);
  noteBegin(slot, block, time);
  const std::size_t scheduler = chooseScheduler();
  const std::uint64_t age = order_++;
  for (std::size_t i = 0; i < place.warps.size(); ++i) {
    Warp& warp = warps_[std::size_t(place.warps[i])];
    warp.scheduler = (scheduler + i) % schedulers_.size();
    ++schedulers_[warp.scheduler].warps;
    ++schedulers_[warp.scheduler].places;
    warp.trace = &block.warps[i];
    warp.age = age;
    warp.end = warp.trace->executions.size();
    warp.execution = warp.step = warp.traffic = warp.behindAccesses = 0;
    warp.usedTraffic.clear();
    warp.runStart = 0;
    warp.readyAt = time;
    warp.values.assign(std::size_t(trace_.shape->values), 0.0);
    warp.scoreboards.fill(0);
    warp.entered = nowhere;
    warp.rounds.clear();
    warp.issued = 0;
    warp.written = {};
    proceed(place.warps[i]);
  }
}

/// The step that the warp issues next, past those that issue nothing.
const Step* Multiprocessor::nextStep(Warp& warp) {
  for (; warp.execution < warp.end; ++warp.execution, warp.step = 0) {
    const profile::BlockShape& block = blockOf(warp);
    if (block.isMachineCode && warp.entered != warp.execution)
      enter(warp, block);
    const bool isLeftOut = block.isMachineCode && warp.isLeftOut;
    for (; !isLeftOut && warp.step < block.steps.size(); ++warp.step) {
      const Step& step = block.steps[warp.step];
      if (step.kind == StepKind::Access && step.issues == 0) {
        trafficOf(warp, step);
        if (step.result >= 0) // a store to an argument of its own has none
          warp.values[std::size_t(step.result)] = 0;
        continue;
      }
      if (step.kind != StepKind::Merge)
        return &step;
      double ready = 0;
      for (const int operand : step.operands)
        if (operand >= 0)
          ready = std::max(ready, warp.values[std::size_t(operand)]);
      warp.values[std::size_t(step.result)] =
          ready + (step.waitsForPredicate ? costs_.predicate : 0);
    }
    result_.instructions += block.instructions;
  }
  return nullptr;
}

double Multiprocessor::earliest(const Warp& warp, const Step& step) const {
  double time = warp.readyAt;
  const double wait = step.waitsForPredicate ? costs_.predicate : 0;
  for (const int operand : step.operands)
    if (operand >= 0)
      time = std::max(time, warp.values[std::size_t(operand)] + wait);
  for (unsigned waits = step.waits; waits != 0; waits &= waits - 1)
    time = std::max(time, warp.scoreboards[std::size_t(std::countr_zero(waits))]);
  return time;
}

/// Whether the warp's next step finds its unit free once the scheduler is.
bool Multiprocessor::isFree(const Scheduler& scheduler, int number) const {
  const Step& step = *warps_[std::size_t(number)].next;
  return *scheduler.units[costs_.pipeOf(step.unit)] <= scheduler.free;
}

/// Puts the warp's next step among the events, or ends the warp.
void Multiprocessor::proceed(int number) {
  Warp& warp = warps_[std::size_t(number)];
  warp.next = nextStep(warp);
  if (warp.next == nullptr)
    return endWarp(number, warp.readyAt);
  Scheduler& scheduler = schedulers_[warp.scheduler];
  const double time = earliest(warp, *warp.next);
  if (scheduler.last == number && time <= scheduler.free && isFree(scheduler, number))
    scheduler.goesOn = number;
  else
    scheduler.waiting.push({time, order_++, number});
}

void Multiprocessor::endWarp(int number, double time) {
  BlockSlot& slot = slots_[std::size_t(warps_[std::size_t(number)].slot)];
  --schedulers_[warps_[std::size_t(number)].scheduler].warps;
  result_.cycles = std::max(result_.cycles, time);
  slot.latest = std::max(slot.latest, time);
  noteEnd(slot, number, time);
  if (--slot.live == 0) {
    for (const int warp : slot.warps)
      --schedulers_[warps_[std::size_t(warp)].scheduler].places;
    beginBlock(warps_[std::size_t(number)].slot, std::max(slot.latest, slot.stored) +
                                                     costs_.turnaround +
                                                     costs_.warpStart * double(slot.warps.size()));
  } else if (slot.waiting == slot.live)
    release(slot);
}

void Multiprocessor::arrive(int number, double time) {
  BlockSlot& slot = slots_[std::size_t(warps_[std::size_t(number)].slot)];
  slot.atBarrier.push_back(number);
  slot.latest = std::max(slot.latest, time);
  if (++slot.waiting == slot.live)
    release(slot);
}

void Multiprocessor::release(BlockSlot& slot) {
  slot.waiting = 0;
  std::vector<int> warps;
  warps.swap(slot.atBarrier);
  for (const int number : warps) {
    warps_[std::size_t(number)].readyAt = slot.latest + costs_.barrier;
    proceed(number);
  }
}

/// Of a loop that ptxas unrolled, one execution of a block stands for several rounds.
bool Multiprocessor::isRoundOfEarlier(Warp& warp, std::size_t block) const {
  auto known = std::ranges::find(warp.rounds, block, &std::pair<std::size_t, unsigned>::first);
  if (known == warp.rounds.end())
    known = warp.rounds.insert(known, {block, 0});
  const unsigned done = known->second;
  known->second = (done + 1) % trace_.shape->blocks[block].rounds;
  return done != 0;
}

/// A warp comes to a block whose machine instructions are known. They also do what blocks do before
/// and behind it that have no accesses among their own: ptxas moves them, and lets lanes skip them
/// by predicates.
void Multiprocessor::enter(Warp& warp, const profile::BlockShape& block) const {
  warp.entered = warp.execution;
  const auto& executions = warp.trace->executions;
  const std::size_t number = executions[warp.execution].block;
  warp.isLeftOut = block.rounds > 1 && isRoundOfEarlier(warp, number);
  if (!accesses_[number])
    return;
  std::size_t next = warp.execution + 1;
  for (unsigned rounds = 1; next < executions.size(); ++next) {
    const std::size_t other = executions[next].block;
    rounds += other == number ? 1 : 0;
    if (rounds > block.rounds || (block.rounds == 1 && accesses_[other]))
      break;
  }
  warp.trafficBegin = executions[block.rounds > 1 ? warp.execution : warp.behindAccesses].traffic;
  warp.trafficEnd =
      next < executions.size() ? executions[next].traffic : warp.trace->traffic.size();
  std::erase_if(warp.usedTraffic, [&](std::size_t used) { return used < warp.trafficBegin; });
  warp.behindAccesses = std::min(warp.execution + 1, executions.size() - 1);
}

/// What a machine instruction moved: nothing where no lane of the trace did what it does.
profile::Traffic Multiprocessor::plannedTraffic(Warp& warp, const Step& step) const {
  const std::vector<profile::Traffic>& all = warp.trace->traffic;
  for (std::size_t i = warp.trafficBegin; i < warp.trafficEnd; ++i)
    if (all[i].site == step.site &&
        std::ranges::find(warp.usedTraffic, i) == warp.usedTraffic.end()) {
      warp.usedTraffic.push_back(i);
      return all[i];
    }
  return {step.site, 0, 0};
}

/// What the access moved when it was traced; a coalesced access where nothing was.
profile::Traffic Multiprocessor::trafficOf(Warp& warp, const Step& step) const {
  const profile::LaneUse& use = warp.trace->uses[warp.trace->executions[warp.execution].use];
  const double sectors = std::max(1.0, use.active * step.bytes / sectorBytes);
  profile::Traffic traffic{step.site, std::uint16_t(sectors), 0};
  if (step.site < 0)
    traffic.transactions = 1;
  else if (blockOf(warp).isMachineCode)
    traffic = plannedTraffic(warp, step);
  else if (warp.traffic < warp.trace->traffic.size() &&
           warp.trace->traffic[warp.traffic].site == step.site)
    traffic = warp.trace->traffic[warp.traffic++];
  // The engine lays out local memory thread by thread; a GPU interleaves it.
  if (step.space == MemorySpace::Local)
    traffic = {step.site, std::uint16_t(sectors), 0};
  return traffic;
}

/// Global and local memory: returns when the value is there.
double Multiprocessor::globalAccess(Warp& warp, const Touched& touched, const Step& step,
                                    const profile::Traffic& traffic, double time) {
  if (step.access == AccessKind::Store && settings_.writeBytesPerCycle > 0) {
    touched.arrive(time);
    return write(warp, step, touched, traffic, time);
  }
  const bool keeps = costs_.l2 > 0 && (!step.isStrong || trace_.polls > 0);
  const double done =
      move(step, keeps ? touched.fresh : traffic.transactions, touched.newPairs, time);
  touched.arrive(step.access == AccessKind::Store ? time : done);
  return step.access == AccessKind::Load ? std::max(done, touched.latest) : done;
}

/// The L1 passes on what is written, again and again. What is new goes to memory, too.
double Multiprocessor::write(Warp& warp, const Step& step, const Touched& touched,
                             const profile::Traffic& traffic, double time) {
  if (costs_.isMemoryNear && step.space != MemorySpace::Local)
    return time;
  const double taking =
      warp.written.add(costs_, touched, traffic, warp.issued) / settings_.writeBytesPerCycle;
  writeFree_ = std::max(writeFree_, time) + taking;
  writeBusy_ += taking;
  const double toMemory =
      touched.fresh * sectorBytes * fromDram(step) * costs_.storeCost / settings_.bytesPerCycle;
  if (toMemory > 0)
    memoryFree_ = std::max(memoryFree_, time) + toMemory;
  result_.memoryBusy += toMemory;
  return std::max(writeFree_, toMemory > 0 ? memoryFree_ : 0) +
         costs_.storeTaken * crowded(time, toMemory);
}

/// When so many sectors are there that the L1 has not, or has.
double Multiprocessor::move(const Step& step, double fresh, double newPairs, double time) {
  const bool cached = costs_.l2 > 0;
  if (cached && fresh == 0)
    return time + (step.access != AccessKind::Atomic && costs_.l1 > 0 ? costs_.l1 : costs_.l2);
  const double share = cached ? fromDram(step) : 1;
  const double bytes = fresh * sectorBytes;
  const double dram = bytes * share / settings_.bytesPerCycle *
                      (step.access == AccessKind::Store ? costs_.storeCost : 1);
  const double moving = dram + bytes * (1 - share) / settings_.l2BytesPerCycle;
  memoryFree_ = std::max(memoryFree_, time) + moving;
  result_.memoryBusy += moving;
  const double crowd = crowded(time, moving);
  if (!cached)
    return memoryFree_ + costs_.global * crowd;
  // The L2 takes what is written, wherever it goes from there.
  if (step.access == AccessKind::Store)
    return memoryFree_ + costs_.storeTaken * crowd;
  const double luck = sureShare - (1 - sureShare) * std::log(1 - random());
  const double near = costs_.l2 + (costs_.l2Afar - costs_.l2) * afar(step) * newPairs;
  return memoryFree_ + (near + (costs_.global - near) * share * luck) * crowd;
}

double Multiprocessor::afar(const Step& step) const {
  const auto site = std::size_t(step.site);
  return step.site >= 0 && site < settings_.afar.size() ? settings_.afar[site] : 0;
}

double Multiprocessor::fromDram(const Step& step) const {
  const auto site = std::size_t(step.site);
  return step.site >= 0 && site < settings_.fromDram.size() ? settings_.fromDram[site] : 1;
}

/// How many times longer than alone an access takes, among those that others make.
double Multiprocessor::crowded(double time, double moving) {
  load_ =
      load_ * std::exp((loadTime_ - std::max(time, loadTime_)) / loadCycles) + moving / loadCycles;
  loadTime_ = std::max(time, loadTime_);
  const double load = std::min(load_, mostLoad);
  return 1 + costs_.crowding * load / (1 - load);
}

/// Lanes that want different words get them one after the other. How many words is not known: at
/// least one of each sector.
double Multiprocessor::constantAccess(const profile::Traffic& traffic, double time) {
  const double words = std::max<double>(1, traffic.transactions);
  constantFree_ = std::max(constantFree_, time) + costs_.constantPass * words;
  return std::max(constantFree_, time + costs_.constantTurn * (words - 1)) + costs_.constantLatency;
}

double Multiprocessor::access(Warp& warp, const Step& step, double time) {
  const profile::Traffic traffic = trafficOf(warp, step);
  if (step.isConstant)
    return constantAccess(traffic, time);
  double& free = unitFree_[costs_.pipeOf(step.unit)];
  const double pass = costs_.serviceOf(step.unit);
  const bool isShared = step.space == MemorySpace::Shared;
  const Touched touched =
      isShared ? Touched{}
               : touch(warp.trace->sectors, traffic, slots_[std::size_t(warp.slot)].sectors);
  const double service =
      isShared ? pass * traffic.transactions : l1Service(costs_, step, traffic, touched);
  free = std::max(free, time) + service;
  unitBusy_[costs_.pipeOf(step.unit)] += service;
  if (!isShared)
    return globalAccess(warp, touched, step, traffic, free);
  return free + costs_.latencyOf(step.unit) +
         (step.access == AccessKind::Atomic ? costs_.sharedAtomic : 0);
}

/// The execution after this one that issues anything.
std::size_t Multiprocessor::following(const Warp& warp) const {
  std::size_t next = warp.execution + 1;
  while (next < warp.end && trace_.shape->blocks[warp.trace->executions[next].block].isRunBefore)
    ++next;
  return next;
}

/// Whether lanes part here, and do not just end. The other side of a branch, however few its lanes
/// are, is no further parting.
bool Multiprocessor::partsHere(const Warp& warp) const {
  const auto& executions = warp.trace->executions;
  const std::size_t next = following(warp);
  if (next >= warp.end)
    return false;
  const profile::LaneUse& here = warp.trace->uses[executions[warp.execution].use];
  const profile::LaneUse& there = warp.trace->uses[executions[next].use];
  return there.depth > here.depth && there.ended == here.ended;
}

/// Cycles until the warp has its next instruction after a branch. What follows in the code is there
/// already; of what came before, as much as a buffer holds since the last jump.
double Multiprocessor::jump(Warp& warp, double time) {
  const auto& executions = warp.trace->executions;
  const std::size_t next = following(warp);
  const double here = places_[executions[warp.execution].block + 1];
  const double there = next < warp.end ? places_[executions[next].block] : here;
  if (there == here)
    return costs_.straightOn;
  const bool isHeld = there >= warp.runStart && here - warp.runStart <= costs_.heldCode;
  warp.runStart = there;
  Scheduler& scheduler = schedulers_[warp.scheduler];
  const double wait = std::max(0.0, scheduler.fetchFree - time);
  scheduler.fetchFree = time + wait + costs_.fetchInterval;
  const int others = std::min(scheduler.warps - 1, costs_.mostFetching);
  return wait + costs_.branch + costs_.fetchTurn * others +
         (there < here && !isHeld ? costs_.farBack : 0);
}

void Multiprocessor::issue(int number, double time) {
  Warp& warp = warps_[std::size_t(number)];
  const Step& step = *warp.next;
  const double slots = costs_.issuesOf(step) * costs_.slot;
  schedulers_[warp.scheduler].free = time + slots;
  schedulers_[warp.scheduler].busy += slots;
  result_.steps += step.issues;
  schedulers_[warp.scheduler].last = number;
  warp.readyAt = time + slots;
  ++warp.issued;
  double done = 0;
  if (step.kind == StepKind::Access) {
    done = access(warp, step, time);
    if (step.access == AccessKind::Store) {
      double& stored = slots_[std::size_t(warp.slot)].stored;
      stored = std::max(stored, done);
    }
  } else {
    const auto unit = std::size_t(step.unit);
    const double service = step.issues * costs_.service[unit];
    double& free = *schedulers_[warp.scheduler].units[costs_.pipe[unit]];
    free = std::max(free, time) + (isOwn(unit) ? costs_.schedulers : 1) * service;
    unitBusy_[costs_.pipe[unit]] += service;
    done = time + std::max((step.dependent - 1) * costs_.latency[unit], slots - costs_.slot) +
           costs_.latency[unit];
  }
  if (step.result >= 0)
    warp.values[std::size_t(step.result)] = done;
  if (step.kind != StepKind::Branch)
    warp.readyAt = std::max(warp.readyAt, time + step.stall);
  const auto clears = [&](int scoreboard, double when) {
    if (scoreboard >= 0)
      warp.scoreboards[std::size_t(scoreboard)] =
          std::max(warp.scoreboards[std::size_t(scoreboard)], when);
  };
  clears(step.sets, done);
  clears(step.reads, time + operandsRead);
  ++warp.step;
  if (step.kind == StepKind::Barrier) {
    barrierFree_ = std::max(barrierFree_, time) + costs_.barrierPerWarp;
    return arrive(number, std::max(warp.readyAt, barrierFree_));
  }
  if (step.kind == StepKind::Branch)
    warp.readyAt += jump(warp, time) + (partsHere(warp) ? costs_.divergence : 0);
  if (step.kind == StepKind::Gather)
    warp.readyAt += costs_.gather * step.issues;
  if (step.kind == StepKind::Fence)
    warp.readyAt += costs_.l2 > 0 ? costs_.l2 : costs_.global;
  proceed(number);
}

/// When a scheduler can issue next: it is free, and some warp is ready and finds its unit free.
double Multiprocessor::nextIssue(const Scheduler& scheduler) const {
  if (scheduler.goesOn != noWarp)
    return scheduler.free;
  double time = scheduler.waiting.empty() ? never : scheduler.waiting.top().time;
  for (unsigned units = scheduler.ready; units != 0; units &= units - 1)
    time = std::min(time, *scheduler.units[std::size_t(std::countr_zero(units))]);
  return std::max(time, scheduler.free);
}

/// Warps whose operands are there by now become ready.
void Multiprocessor::wake(Scheduler& scheduler, double time) {
  while (!scheduler.waiting.empty() && scheduler.waiting.top().time <= time) {
    const Event event = scheduler.waiting.top();
    scheduler.waiting.pop();
    Warp& warp = warps_[std::size_t(event.warp)];
    warp.event = event;
    const std::size_t unit = costs_.pipeOf(warp.next->unit);
    if ((scheduler.ready >> unit & 1U) != 0)
      insert(scheduler.lists[unit], event.warp);
    else
      scheduler.lists[unit] = {event.warp, event.warp};
    scheduler.ready |= 1U << unit;
  }
}

/// Whether a warp that is ready issues before another one.
bool Multiprocessor::isBefore(int one, int other) const {
  const Warp &warp = warps_[std::size_t(one)], &than = warps_[std::size_t(other)];
  return costs_.isDivided && warp.age != than.age ? warp.age < than.age : than.event > warp.event;
}

/// Among warps that are ready for a unit.
void Multiprocessor::insert(ReadyList& list, int warp) {
  if (isBefore(warp, list.first)) {
    warps_[std::size_t(warp)].link = list.first;
    list.first = warp;
    return;
  }
  int at = isBefore(list.last, warp) ? list.last : list.first;
  while (at != list.last && isBefore(warps_[std::size_t(at)].link, warp))
    at = warps_[std::size_t(at)].link;
  if (at == list.last)
    list.last = warp;
  else
    warps_[std::size_t(warp)].link = warps_[std::size_t(at)].link;
  warps_[std::size_t(at)].link = warp;
}

/// The unit whose first warp may issue now; noUnit when all wait for their units.
int Multiprocessor::choose(const Scheduler& scheduler, double time) const {
  int chosen = noUnit, first = noWarp;
  for (unsigned units = scheduler.ready; units != 0; units &= units - 1) {
    const int unit = std::countr_zero(units);
    if (*scheduler.units[std::size_t(unit)] > time)
      continue;
    const int warp = scheduler.lists[std::size_t(unit)].first;
    if (first == noWarp || isBefore(warp, first)) {
      first = warp;
      chosen = unit;
    }
  }
  return chosen;
}

/// The first warp that is ready for the unit; it is not any more.
int Multiprocessor::take(Scheduler& scheduler, int unit) const {
  ReadyList& list = scheduler.lists[std::size_t(unit)];
  const int warp = list.first;
  if (warp == list.last)
    scheduler.ready &= ~(1U << unit);
  else
    list.first = warps_[std::size_t(warp)].link;
  return warp;
}

ReplayResult Multiprocessor::run() {
  makeSlots();
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    beginBlock(int(slot), 0);
  for (;;) {
    Scheduler* first = nullptr;
    double time = never;
    for (Scheduler& scheduler : schedulers_)
      if (const double next = nextIssue(scheduler); next < time) {
        time = next;
        first = &scheduler;
      }
    if (first == nullptr)
      break;
    if (first->goesOn != noWarp) {
      issue(std::exchange(first->goesOn, noWarp), time);
      continue;
    }
    wake(*first, time);
    const int unit = choose(*first, time);
    if (unit != noUnit) // else those that woke find their unit busy
      issue(take(*first, unit), time);
  }
  result_.cycles = std::max({result_.cycles, memoryFree_, writeFree_});
  result_.memoryBusy = std::max(result_.memoryBusy, writeBusy_);
  for (const Scheduler& scheduler : schedulers_)
    result_.issueBusy = std::max(result_.issueBusy, scheduler.busy);
  result_.issueBusy = std::max(result_.issueBusy, std::ranges::max(unitBusy_));
  return result_;
}

} // namespace

ReplayResult replay(const profile::KernelTrace& trace, const DeviceCosts& costs,
                    const ReplaySettings& settings) {
  if (trace.blocks.empty() || trace.shape == nullptr)
    return {};
  return Multiprocessor(trace, costs, settings).run();
}

} // namespace heddle::timing
