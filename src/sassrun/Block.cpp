// SPDX-License-Identifier: Apache-2.0
#include "sassrun/Block.h"

#include "sassrun/Spaces.h"

#include <algorithm>
#include <cstring>

namespace heddle::sassrun {
namespace {

constexpr std::uint64_t turnOfWarp = 1 << 16; ///< instructions, then other warps have a turn
constexpr std::uint32_t sharedGrain = 1024;
constexpr std::uint32_t fewestStackBytes = 4096;
// What the driver puts into bank 0, as ptxas's code reads it for sm_90.
constexpr std::size_t bank0Driver = 0x210, bank0Stack = 0x28;

int product(const std::array<int, 3>& extent) {
  return extent[0] * extent[1] * extent[2];
}

void put(std::vector<std::byte>& bank, std::size_t at, std::uint32_t value) {
  std::memcpy(bank.data() + at, &value, sizeof value);
}

/// Bank 0 as the driver fills it: sizes, windows, the stack's end, and the arguments.
std::vector<std::byte> makeBank0(const Kernel& kernel, const LaunchShape& launch) {
  std::vector<std::byte> bank = kernel.bank0;
  bank.resize(std::max<std::size_t>(
      {bank.size(), kernel.parameterOffset + launch.arguments.size(), bank0Driver}));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    put(bank, 4 * axis, std::uint32_t(launch.block[axis]));
    put(bank, 12 + 4 * axis, std::uint32_t(launch.grid[axis]));
  }
  put(bank, localWindowOffset, 0);
  put(bank, localWindowOffset + 4, localWindow);
  put(bank, bank0Stack, std::max(kernel.stackBytes, fewestStackBytes));
  std::ranges::copy(launch.arguments, bank.begin() + kernel.parameterOffset);
  return bank;
}

} // namespace

Block::Block(const Program& program, const Kernel& kernel, const LaunchShape& launch,
             PrivateMemory& memory, std::vector<InstructionCounts>& counts)
    : program_(program), kernel_(kernel), launch_(launch), counts_(counts), global_(memory),
      parameters_(makeBank0(kernel, launch)) {
  const int threads = product(launch.block);
  for (int first = 0; first < threads; first += warpSize)
    warps_.push_back(std::make_unique<Warp>());
  local_.resize(std::size_t(threads));
  shared_.resize(std::max<std::size_t>(kernel.sharedBytes, sharedGrain) + launch.dynamicShared);
}

void Block::start(std::int64_t number) {
  const std::int64_t width = launch_.grid[0], height = launch_.grid[1];
  place_ = {int(number % width), int(number / width % height), int(number / width / height)};
  std::ranges::fill(shared_, std::byte{});
  for (std::vector<std::byte>& each : local_)
    each.clear();
  barriers_ = {};
  lastReduction_ = {};
  const int threads = product(launch_.block);
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    const int left = std::min(threads - int(i) * warpSize, warpSize);
    const LaneMask lanes = left == warpSize ? allLanes : (LaneMask{1} << left) - 1;
    warps_[i]->start(*this, program_, int(i), lanes, kernel_.entry);
  }
}

Expected<void> Block::run(std::int64_t number, std::uint64_t mostInstructions) {
  start(number);
  std::vector<bool> isDone(warps_.size(), false);
  std::uint64_t executed = 0;
  std::size_t left = warps_.size();
  while (left > 0) {
    bool ran = false;
    for (std::size_t i = 0; i < warps_.size(); ++i) {
      if (isDone[i])
        continue;
      Warp& warp = *warps_[i];
      const std::uint64_t before = warp.executed();
      const WarpState state = warp.run(turnOfWarp);
      executed += warp.executed() - before;
      ran = ran || warp.executed() != before;
      if (state == WarpState::Failed)
        return fail(ErrorKind::Unsupported, "{}", warp.failure());
      if (state == WarpState::Finished) {
        isDone[i] = true;
        --left;
      }
      if (executed > mostInstructions)
        return fail(ErrorKind::BadInput, "it runs more than {} instructions", mostInstructions);
    }
    if (openBarriers())
      ran = true;
    if (!ran && left > 0)
      return fail(ErrorKind::BadInput, "warps of a block wait for each other for ever");
  }
  return {};
}

std::array<int, 3> Block::threadAt(int warp, int lane) const {
  const int thread = warp * warpSize + lane;
  const int width = launch_.block[0], height = launch_.block[1];
  return {thread % width, thread / width % height, thread / width / height};
}

std::vector<std::byte>& Block::local(int warp, int lane) {
  return local_[std::size_t(warp * warpSize + lane)];
}

bool Block::readConstant(unsigned bank, std::uint64_t offset, void* into, std::size_t size) const {
  const std::vector<std::byte>* own = bank == 0   ? &parameters_
                                      : bank == 2 ? &kernel_.bank2
                                                  : nullptr;
  if (own == nullptr)
    return program_.readConstant(bank, offset, into, size);
  if (offset > own->size() || size > own->size() - offset)
    return false;
  std::memcpy(into, own->data() + offset, size);
  return true;
}

std::uint32_t Block::constant(Warp& warp, unsigned bank, std::uint32_t offset) {
  std::uint32_t value = 0;
  if (!readConstant(bank, offset, &value, sizeof value))
    warp.fail(fmt::format("c[{:#x}][{:#x}] is not known", bank, offset));
  return value;
}

int Block::liveThreads() const {
  int count = 0;
  for (const auto& warp : warps_)
    count += countLanes(warp->live());
  return count;
}

void Block::arrive(std::uint32_t number, std::uint32_t threads, LaneMask lanes) {
  Barrier& barrier = barriers_[number];
  barrier.threads = threads;
  // One with a count takes whole warps.
  barrier.come += std::uint32_t(threads == 0 ? countLanes(lanes) : warpSize);
}

void Block::reduce(std::uint32_t number, const Reduction& part) {
  Reduction& open = barriers_[number].open;
  open.votes += part.votes;
  open.voters += part.voters;
  open.how = part.how;
}

bool Block::openBarriers() {
  bool opened = false;
  const auto live = std::uint32_t(liveThreads());
  for (std::uint32_t number = 0; number < barriers_.size(); ++number) {
    Barrier& barrier = barriers_[number];
    const std::uint32_t wanted = barrier.threads == 0 ? live : barrier.threads;
    if (barrier.come == 0 || barrier.come < wanted)
      continue;
    if (barrier.open.voters > 0)
      lastReduction_ = barrier.open;
    barrier = {};
    for (const auto& warp : warps_)
      warp->passBarrier(number);
    opened = true;
  }
  return opened;
}

} // namespace heddle::sassrun
