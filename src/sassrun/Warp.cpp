// SPDX-License-Identifier: Apache-2.0
#include "sassrun/Warp.h"

#include "sassrun/Block.h"
#include "sassrun/Handlers.h"
#include "sassrun/Program.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::sassrun {
namespace {

/// Operations of control flow.
enum Control : unsigned {
  Nop = 0x118,
  Bar = 0x11d,
  Bsync = 0x141,
  Break = 0x142,
  CallAbsolute = 0x143,
  Call = 0x144,
  Bssy = 0x145,
  Yield = 0x146,
  Bra = 0x147,
  Warpsync = 0x148,
  Brx = 0x149,
  EndCollective = 0x11b,
  Exit = 0x14d,
  Ret = 0x150,
  BmovFrom = 0x155,
  BmovTo = 0x156,
  Nanosleep = 0x15d,
};

/// After so many instructions of one group the others of its warp have a turn: they may be what it
/// waits for.
constexpr std::uint64_t turn = 4096;

/// From the instruction behind this one.
std::int64_t distanceOf(const Encoding& code) {
  const std::uint64_t upper = code.bits(34, 48);
  const std::uint64_t whole = upper << 8 | code.bits(16, 8);
  return 4 * (std::int64_t(whole << 8) >> 8);
}

std::uint64_t behind(const Instruction& instruction) {
  return instruction.address + instructionBytes;
}

std::uint64_t targetOf(const Instruction& instruction) {
  return behind(instruction) + std::uint64_t(distanceOf(instruction.code));
}

} // namespace

void Warp::start(Block& block, const Program& program, int number, LaneMask lanes,
                 std::uint64_t address) {
  for (Row& row : registers_)
    row.fill(0);
  predicates_.fill(0);
  predicates_[truePredicate] = allLanes;
  uniform_.fill(0);
  uniformPredicates_.fill(false);
  uniformPredicates_[truePredicate] = true;
  barriers_.fill(0);
  groups_.assign(1, Group{.lanes = lanes, .address = address});
  block_ = &block;
  program_ = &program;
  number_ = number;
  live_ = lanes;
  executed_ = sinceChange_ = clock_ = 0;
  failure_.clear();
}

std::uint32_t Warp::shared(const Source& source) const {
  switch (source.kind) {
  case SourceKind::Uniform:
    return uniform_[source.index];
  case SourceKind::Immediate:
    return source.value;
  case SourceKind::Constant:
    return block_->constant(const_cast<Warp&>(*this), source.bank, source.value);
  default:
    return 0;
  }
}

std::uint64_t Warp::wideShared(const Source& source) const {
  switch (source.kind) {
  case SourceKind::Uniform:
    return uniformPair(source.index);
  case SourceKind::Immediate:
    return std::uint64_t{source.value} << 32;
  case SourceKind::Constant: {
    Source upper = source;
    upper.value += 4;
    return shared(source) | std::uint64_t{shared(upper)} << 32;
  }
  default:
    return 0;
  }
}

void Warp::fail(std::string why) {
  if (failure_.empty())
    failure_ = std::move(why);
}

WarpState Warp::run(std::uint64_t mostInstructions, bool stopsAtSharedMemory) {
  const std::uint64_t end = executed_ + mostInstructions;
  while (failure_.empty() && executed_ < end) {
    if (groups_.empty())
      return WarpState::Finished;
    if (!chooseGroup()) {
      if (!failure_.empty())
        break;
      return WarpState::AtBarrier;
    }
    step();
    if (stopsAtSharedMemory && metOthers_)
      break;
  }
  return failure_.empty() ? WarpState::Running : WarpState::Failed;
}

bool Warp::isReady() const {
  return std::ranges::any_of(groups_,
                             [](const Group& group) { return group.state == Group::State::Ready; });
}

/// Puts a group that can run at the end.
bool Warp::chooseGroup() {
  if (groups_.back().state == Group::State::Ready)
    return true;
  sinceChange_ = 0;
  const auto ready = std::find_if(groups_.rbegin(), groups_.rend(), [](const Group& group) {
    return group.state == Group::State::Ready;
  });
  if (ready != groups_.rend()) {
    std::rotate(ready.base() - 1, ready.base(), groups_.end());
    return true;
  }
  const bool waitsForBlock = std::ranges::any_of(
      groups_, [](const Group& group) { return group.state == Group::State::AtBarrier; });
  if (!waitsForBlock)
    fail("lanes of a warp wait for each other for ever");
  return false;
}

void Warp::step() {
  Group& group = groups_.back();
  const Instruction* found = program_->at(group.address);
  if (found == nullptr)
    return fail(fmt::format("a jump to {:#x}, where there is no code", group.address));
  const Instruction& instruction = *found;
  LaneMask on = 0;
  if (instruction.guardIsUniform)
    on = uniformPredicates_[instruction.guard] != instruction.guardIsNegated ? allLanes : 0;
  else
    on = instruction.guardIsNegated ? ~predicates_[instruction.guard]
                                    : predicates_[instruction.guard];
  const LaneMask lanes = group.lanes & on;
  InstructionCounts& counts = block_->counts(program_->indexOf(instruction));
  ++counts.executions;
  counts.lanes += std::uint64_t(countLanes(group.lanes));
  counts.on += std::uint64_t(countLanes(lanes));
  ++executed_;
  ++sinceChange_;
  clock_ += instruction.cycles;
  metOthers_ = instruction.isSeenByOthers && lanes != 0;
  if (instruction.handler == nullptr)
    return runControl(instruction, lanes);
  if (lanes != 0)
    instruction.handler(*this, instruction, lanes);
  group.address += instructionBytes;
}

void Warp::runControl(const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  Group& group = groups_.back();
  switch (code.operation()) {
  case Bra:
    return branch(instruction, lanes);
  case Exit:
    return exit(lanes & predicateAt(code, 87, 90));
  case Bssy:
    if (lanes != 0)
      barriers_[code.bits(16, 4)] = group.lanes & predicateAt(code, 87, 90);
    break;
  case Bsync:
    if (lanes != 0)
      return waitAtSync(std::uint32_t(code.bits(16, 4)));
    break;
  case Break:
    barriers_[code.bits(16, 4)] &= ~(lanes & predicateAt(code, 87, 90));
    group.address += instructionBytes;
    return releaseAll();
  case BmovFrom:
  case BmovTo:
    moveBarrier(instruction, lanes);
    break;
  case Call:
  case CallAbsolute:
    return call(instruction, lanes);
  case Ret:
    return giveReturn(instruction, lanes);
  case Brx: {
    std::array<std::uint64_t, warpSize> addresses = {};
    forEachLane(lanes, [&](int lane) {
      addresses[std::size_t(lane)] = targetOf(instruction) + getPair(instruction.a.index, lane);
    });
    return jumpEach(lanes, addresses);
  }
  case Warpsync:
    return waitAtWarpSync(instruction, lanes);
  case Bar:
    if (lanes != 0)
      return waitAtBlockBarrier(instruction, lanes);
    break;
  case Yield:
  case Nanosleep:
    sinceChange_ = turn; // others may be what it waits for
    break;
  case Nop:
  case EndCollective:
    break;
  default:
    return fail(fmt::format("operation {:#x} cannot be run", code.operation()));
  }
  groups_.back().address += instructionBytes;
  if (sinceChange_ >= turn && groups_.size() > 1) {
    std::rotate(groups_.begin(), groups_.end() - 1, groups_.end());
    sinceChange_ = 0;
  }
}

/// A branch may ask for a second predicate, or whether all lanes that a uniform register names are
/// here: 2 jumps if they are not, 3 if they are.
void Warp::branch(const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  LaneMask taken = lanes & predicateAt(code, 87, 90);
  const auto kind = code.bits(32, 2);
  if (kind >= 2) {
    const LaneMask named = uniform(unsigned(code.bits(24, 6))) & live_;
    const bool isWhole = (named & ~active()) == 0;
    taken = isWhole == (kind == 3) ? taken : 0;
  } else if (kind == 1 && code.bit(84)) { // .U.ANY
    taken = taken != 0 ? active() : 0;
  }
  jump(taken, targetOf(instruction));
  // A loop that waits for another group of the warp ends in a branch.
  if (sinceChange_ >= turn && groups_.size() > 1) {
    std::rotate(groups_.begin(), groups_.end() - 1, groups_.end());
    sinceChange_ = 0;
  }
}

/// Some lanes go to an address, the others on.
void Warp::jump(LaneMask lanes, std::uint64_t address) {
  Group& group = groups_.back();
  if (lanes == group.lanes) {
    group.address = address;
    return;
  }
  group.address += instructionBytes;
  if (lanes == 0)
    return;
  group.lanes &= ~lanes;
  groups_.insert(groups_.end() - 1, Group{.lanes = lanes, .address = address});
}

void Warp::jumpEach(LaneMask lanes, const std::array<std::uint64_t, warpSize>& addresses) {
  const Group group = groups_.back();
  groups_.pop_back();
  if (const LaneMask rest = group.lanes & ~lanes; rest != 0)
    groups_.push_back({.lanes = rest, .address = group.address + instructionBytes});
  for (LaneMask left = lanes; left != 0;) {
    const std::uint64_t address = addresses[std::size_t(std::countr_zero(left))];
    const LaneMask same =
        lanesWhere(left, [&](int lane) { return addresses[std::size_t(lane)] == address; });
    groups_.push_back({.lanes = same, .address = address});
    left &= ~same;
  }
}

void Warp::exit(LaneMask lanes) {
  live_ &= ~lanes;
  Group& group = groups_.back();
  group.lanes &= ~lanes;
  group.address += instructionBytes;
  if (group.lanes == 0)
    groups_.pop_back();
  releaseAll();
}

void Warp::waitAtSync(std::uint32_t barrier) {
  Group& group = groups_.back();
  group.address += instructionBytes;
  group.state = Group::State::AtSync;
  group.number = barrier;
  if (releaseSync(barrier))
    return;
  if ((barriers_[barrier] & group.lanes) == 0) // it waits for none of them
    group.state = Group::State::Ready;
}

/// Lanes wait for those that their masks name; lanes with other masks are no part of it.
void Warp::waitAtWarpSync(const Instruction& instruction, LaneMask lanes) {
  const Group group = groups_.back();
  groups_.pop_back();
  const std::uint64_t next = group.address + instructionBytes;
  if (const LaneMask rest = group.lanes & ~lanes; rest != 0)
    groups_.push_back({.lanes = rest, .address = next});
  const bool isAll = instruction.code.form() == 4;
  for (LaneMask left = lanes; left != 0;) {
    const LaneMask mask = isAll ? live_ : get(instruction.a.index, std::countr_zero(left));
    const LaneMask same =
        lanesWhere(left, [&](int lane) { return isAll || get(instruction.a.index, lane) == mask; });
    groups_.push_back(
        {.lanes = same, .address = next, .state = Group::State::AtWarpSync, .mask = mask});
    left &= ~same;
  }
  releaseWarpSync();
}

/// Lanes that have come and are noted go on if no noted one is missing. Others that wait there do
/// so for a time when the register has their mask again: a function that is called has it for
/// itself until it returns.
bool Warp::releaseSync(std::uint32_t barrier) {
  const LaneMask noted = barriers_[barrier] & live_;
  LaneMask come = 0;
  for (const Group& group : groups_)
    if (group.state == Group::State::AtSync && group.number == barrier)
      come |= group.lanes;
  if (noted == 0 || (noted & ~come) != 0)
    return false;
  std::vector<Group> staying;
  for (Group& group : groups_)
    if (group.state == Group::State::AtSync && group.number == barrier) {
      if ((group.lanes & ~noted) != 0)
        staying.push_back(group);
      group.lanes &= noted;
    }
  merge(Group::State::AtSync, barrier);
  std::erase_if(groups_, [](const Group& group) { return group.lanes == 0; });
  for (Group& group : staying)
    group.lanes &= ~noted;
  groups_.insert(groups_.begin(), staying.begin(), staying.end());
  return true;
}

bool Warp::releaseWarpSync() {
  bool released = false;
  for (std::size_t i = 0; i < groups_.size();) {
    const LaneMask mask = groups_[i].mask;
    LaneMask come = 0;
    if (groups_[i].state == Group::State::AtWarpSync)
      for (const Group& group : groups_)
        if (group.state == Group::State::AtWarpSync && group.mask == mask)
          come |= group.lanes;
    if (come == 0 || (mask & live_ & ~come) != 0) {
      ++i;
      continue;
    }
    merge(Group::State::AtWarpSync, mask);
    released = true;
    i = 0;
  }
  return released;
}

/// All groups that wait for the same go on, as one where they are at one place.
void Warp::merge(Group::State state, std::uint32_t number) {
  std::vector<Group> others, together;
  for (const Group& group : groups_) {
    const std::uint32_t waitsFor = state == Group::State::AtWarpSync ? group.mask : group.number;
    if (group.state != state || waitsFor != number) {
      others.push_back(group);
      continue;
    }
    const auto same = std::ranges::find(together, group.address, &Group::address);
    if (same != together.end())
      same->lanes |= group.lanes;
    else
      together.push_back({.lanes = group.lanes, .address = group.address});
  }
  others.insert(others.end(), together.begin(), together.end());
  groups_ = std::move(others);
  sinceChange_ = 0;
}

void Warp::releaseAll() {
  for (std::uint32_t barrier = 0; barrier < barrierCount; ++barrier)
    releaseSync(barrier);
  releaseWarpSync();
}

/// BMOV: a convergence barrier into a register of each lane, or back.
void Warp::moveBarrier(const Instruction& instruction, LaneMask lanes) {
  const auto barrier = std::size_t(instruction.code.bits(24, 4));
  if (lanes == 0)
    return;
  if (instruction.code.operation() == BmovTo) {
    barriers_[barrier] =
        get(unsigned(instruction.code.bits(32, 8)), std::countr_zero(lanes)) & live_;
    return;
  }
  forEachLane(lanes, [&](int lane) { set(instruction.result, lane, barriers_[barrier]); });
  if (instruction.code.bit(84))
    barriers_[barrier] = 0;
}

/// Where machine code returns to it has put into registers before.
void Warp::call(const Instruction& instruction, LaneMask lanes) {
  const bool isAbsolute = instruction.code.operation() == CallAbsolute;
  if (instruction.code.form() == 4 && !isAbsolute)
    return jump(lanes, targetOf(instruction));
  std::array<std::uint64_t, warpSize> addresses = {};
  forEachLane(lanes, [&](int lane) {
    const std::uint64_t wanted = getPair(instruction.a.index, lane);
    const auto function = program_->functionAt(wanted);
    addresses[std::size_t(lane)] = function     ? *function
                                   : isAbsolute ? wanted
                                                : targetOf(instruction) + wanted;
  });
  jumpEach(lanes, addresses);
}

void Warp::giveReturn(const Instruction& instruction, LaneMask lanes) {
  const bool isRelative = distanceOf(instruction.code) != 0;
  std::array<std::uint64_t, warpSize> addresses = {};
  forEachLane(lanes, [&](int lane) {
    const std::uint64_t wanted = getPair(instruction.a.index, lane);
    addresses[std::size_t(lane)] = isRelative ? targetOf(instruction) + wanted : wanted;
  });
  jumpEach(lanes, addresses);
}

/// BAR: number and threads stand in the instruction; a reduction counts lanes with a predicate.
void Warp::waitAtBlockBarrier(const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  if (code.form() != 5)
    return fail("a barrier whose number is not in the instruction");
  const auto number = std::uint32_t(code.bits(54, 4)), threads = std::uint32_t(code.bits(42, 12));
  const auto kind = code.bits(77, 3); // 0: SYNC, 1: ARV, 2: RED
  if (kind > 2)
    return fail("a barrier of a kind that is not known");
  Group& group = groups_.back();
  group.address += instructionBytes;
  if (lanes != group.lanes)
    return fail("a barrier for a part of the lanes");
  if (kind == 2)
    block_->reduce(number, {.votes = countLanes(lanes & predicateAt(code, 87, 90)),
                            .voters = countLanes(lanes),
                            .how = unsigned(code.bits(74, 2))});
  if (kind != 1) {
    group.state = Group::State::AtBarrier;
    group.number = number;
  }
  block_->arrive(number, threads, lanes);
}

void Warp::passBarrier(std::uint32_t number) {
  merge(Group::State::AtBarrier, number);
}

LaneMask Warp::lanesAt(std::uint32_t number) const {
  LaneMask found = 0;
  for (const Group& group : groups_)
    if (group.state == Group::State::AtBarrier && group.number == number)
      found |= group.lanes;
  return found;
}

} // namespace heddle::sassrun
