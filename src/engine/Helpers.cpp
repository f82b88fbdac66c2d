// SPDX-License-Identifier: Apache-2.0
#include "engine/Helpers.h"

#include "engine/BlockRun.h"
#include "engine/DevicePrint.h"
#include "engine/MatrixMultiply.h"
#include "engine/Textures.h"
#include "profile/KernelTrace.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

namespace heddle::engine {
namespace {

constexpr std::uint64_t sectorBytes = 32;
constexpr std::uint32_t widestWithSharedSectors = 3 * sectorBytes; ///< lanes share few beyond it
constexpr unsigned banks = 32;
constexpr unsigned bankBytes = 4;

/// Counts different numbers among a few: neighbours first, then what was seen.
class DistinctCounter {
public:
  void add(std::uint64_t number) {
    if (count_ > 0 && seen_[std::size_t(count_ - 1)] == number)
      return;
    if (count_ > 0 && number < seen_[std::size_t(count_ - 1)])
      sorted_ = false;
    if (!sorted_ &&
        std::find(seen_.begin(), seen_.begin() + count_, number) != seen_.begin() + count_)
      return;
    seen_[std::size_t(count_++)] = number;
  }
  int count() const { return count_; }
  std::span<const std::uint64_t> seen() const { return {seen_.data(), std::size_t(count_)}; }

private:
  std::array<std::uint64_t, 4 * warpSize> seen_;
  int count_ = 0;
  bool sorted_ = true;
};

/// How many different words are wanted of the bank that is asked for most.
class BankPasses {
public:
  void add(std::uint64_t word) {
    const unsigned bank = word % banks;
    if (wanted_[bank] != 0 && (words_[bank][0] == word || isKnown(bank, word)))
      return;
    words_[bank][wanted_[bank]] = word;
    most_ = std::max<unsigned>(most_, ++wanted_[bank]);
  }
  unsigned most() const { return most_; }

private:
  bool isKnown(unsigned bank, std::uint64_t word) const {
    const auto& words = words_[bank];
    return std::find(words.begin(), words.begin() + wanted_[bank], word) !=
           words.begin() + wanted_[bank];
  }

  std::array<std::array<std::uint64_t, warpSize>, banks> words_;
  std::array<std::uint8_t, banks> wanted_{};
  unsigned most_ = 1;
};

/// One execution of a memory instruction in a warp that counts.
struct Counted {
  WarpContext& warp;
  std::uint32_t site;
  LaneMask lanes;

  void add(std::uint64_t transactions, std::uint64_t ideal, std::uint64_t fresh,
           std::uint32_t sectors = profile::Traffic::unknownSectors, unsigned wanted = 0) const {
    const std::uint64_t times = warp.standsFor;
    if ((warp.counts & tracesOnly) == 0)
      warp.sites[site].counts +=
          {times, times * std::uint64_t(countLanes(lanes)), times * transactions, times * ideal};
    if (warp.trace != nullptr)
      warp.trace->traffic.push_back({std::int32_t(site), std::uint16_t(transactions),
                                     std::uint16_t(fresh), sectors, std::uint16_t(wanted)});
  }
};

/// What a traced access does to the caches.
struct NotedSectors {
  std::uint64_t fresh = 0; ///< that the block had not touched before
  std::uint32_t places = profile::Traffic::unknownSectors;
};

/// Notes the sectors of a traced access to device memory; of other memory nothing is known.
NotedSectors noteSectors(const Counted& counted, std::span<const std::uint64_t> sectors,
                         const std::uint64_t* addresses) {
  if (counted.warp.trace == nullptr)
    return {};
  profile::WarpTrace& trace = *counted.warp.trace;
  BlockRun& block = *counted.warp.block;
  NotedSectors noted{0, std::uint32_t(trace.sectors.size())};
  for (const std::uint64_t sector : sectors)
    noted.fresh += block.touch(sector, trace) ? 1 : 0;
  if (!block.noteSectors(counted.site, addresses[std::countr_zero(counted.lanes)], sectors.size(),
                         noted.fresh * counted.warp.standsFor)) {
    trace.sectors.resize(noted.places);
    return {};
  }
  block.noteAtomic(counted.warp, counted.site, addresses, counted.lanes);
  return noted;
}

/// Words that the lanes want of one bank of the L1.
unsigned wordsOfABank(LaneMask lanes, const std::uint64_t* addresses, std::uint32_t bytes) {
  BankPasses wanted;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[std::countr_zero(rest)];
    for (std::uint64_t word = address / bankBytes; word <= (address + bytes - 1) / bankBytes;
         ++word)
      wanted.add(word);
  }
  return wanted.most();
}

/// 32-byte sectors that the lanes touch.
void countSectors(const Counted& counted, const std::uint64_t* addresses, std::uint32_t bytes) {
  const auto lanes = std::uint64_t(countLanes(counted.lanes));
  if (lanes == 0)
    return;
  if (bytes > widestWithSharedSectors) {
    const std::uint64_t each = lanes * (bytes / sectorBytes);
    return counted.add(each, each, each);
  }
  DistinctCounter sectors;
  for (LaneMask rest = counted.lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[std::countr_zero(rest)];
    for (std::uint64_t sector = address / sectorBytes;
         sector <= (address + bytes - 1) / sectorBytes; ++sector)
      sectors.add(sector);
  }
  const NotedSectors noted = noteSectors(counted, sectors.seen(), addresses);
  const auto touched = std::uint64_t(sectors.count());
  // Nobody can lay out the memory of several blocks more closely.
  const bool isOthers = counted.warp.block->reachesOthers(addresses, counted.lanes);
  const std::uint64_t fewest = (lanes * bytes + sectorBytes - 1) / sectorBytes;
  const bool isTraced = noted.places != profile::Traffic::unknownSectors;
  counted.add(touched, isOthers ? touched : std::min(touched, fewest), noted.fresh, noted.places,
              isTraced ? wordsOfABank(counted.lanes, addresses, bytes) : 0);
}

/// Lanes go in groups whose words would fill the banks once; a group takes as many passes as the
/// most different words it wants of one bank.
void countBanks(const Counted& counted, const std::uint64_t* addresses, std::uint32_t bytes) {
  const LaneMask lanes = counted.lanes;
  if (lanes == 0)
    return;
  const unsigned words = std::max(1u, bytes / bankBytes);
  if (words > banks) { // each lane fills the banks more than once
    const auto each = std::uint64_t(countLanes(lanes)) * ((words + banks - 1) / banks);
    return counted.add(each, each, 0);
  }
  const unsigned lanesAtOnce = std::max(1u, banks / words);
  std::uint64_t passes = 0, ideal = 0;
  for (unsigned first = 0; first < unsigned(warpSize); first += lanesAtOnce) {
    const LaneMask group =
        lanesAtOnce == banks ? lanes : lanes & (((LaneMask{1} << lanesAtOnce) - 1) << first);
    if (group == 0)
      continue;
    BankPasses wanted;
    for (LaneMask rest = group; rest != 0; rest &= rest - 1)
      for (unsigned word = 0; word < words; ++word)
        wanted.add(addresses[std::countr_zero(rest)] / bankBytes + word);
    passes += wanted.most();
    ++ideal;
  }
  counted.add(passes, ideal, 0);
}

/// Copies of a size the compiler knows where it is a usual one.
void copyLane(void* to, const void* from, std::size_t bytes) {
  if (bytes == 4)
    std::memcpy(to, from, 4);
  else if (bytes == 8)
    std::memcpy(to, from, 8);
  else
    std::memcpy(to, from, bytes);
}

/// The lanes of an access that are fine, counted.
LaneMask checkAndCount(WarpContext& warp, std::uint32_t site, const std::uint64_t* addresses,
                       LaneMask lanes, std::uint32_t shape) {
  const std::uint32_t bytes = shape & 0xffffu;
  const std::uint32_t alignment = 1u << (shape >> 16 & 0xffu);
  const LaneMask fine = warp.block->checkAccess(warp, site, addresses, lanes, bytes, alignment);
  if ((warp.counts & notesTouches) != 0)
    warp.block->noteTouches(warp, site, addresses, fine);
  if ((warp.counts & countsMoved) == 0)
    return fine;
  if ((shape & carefulShared) != 0)
    countBanks({warp, site, fine}, addresses, bytes);
  else
    countSectors({warp, site, fine}, addresses, bytes);
  return fine;
}

} // namespace

std::uint32_t heddleCarefulLoad(WarpContext* warp, std::uint32_t site,
                                const std::uint64_t* addresses, std::uint32_t lanes,
                                std::uint32_t shape, std::byte* values) {
  const LaneMask fine = checkAndCount(*warp, site, addresses, lanes, shape);
  const std::size_t bytes = shape & 0xffffu;
  std::memset(values, 0, bytes * warpSize);
  for (LaneMask rest = fine; rest != 0; rest &= rest - 1) {
    const auto lane = std::size_t(std::countr_zero(rest));
    copyLane(values + lane * bytes, reinterpret_cast<const void*>(addresses[lane]), bytes);
  }
  return fine;
}

std::uint32_t heddleCarefulStore(WarpContext* warp, std::uint32_t site,
                                 const std::uint64_t* addresses, std::uint32_t lanes,
                                 std::uint32_t shape, const std::byte* values) {
  const LaneMask fine = checkAndCount(*warp, site, addresses, lanes, shape);
  const std::size_t bytes = shape & 0xffffu;
  for (LaneMask rest = fine; rest != 0; rest &= rest - 1) {
    const auto lane = std::size_t(std::countr_zero(rest));
    copyLane(reinterpret_cast<void*>(addresses[lane]), values + lane * bytes, bytes);
  }
  return fine;
}

std::uint32_t heddleCarefulAtomic(WarpContext* warp, std::uint32_t site,
                                  const std::uint64_t* addresses, std::uint32_t lanes,
                                  std::uint32_t shape, const std::byte*) {
  return checkAndCount(*warp, site, addresses, lanes, shape);
}

void heddleSumPrivately(WarpContext* warp, std::uint64_t address, std::uint32_t bytes) {
  warp->block->sumPrivately(*warp, address, bytes);
}

void heddleSumLater(WarpContext* warp, std::uint32_t lanes, const std::uint64_t* addresses,
                    const std::byte* values, std::uint32_t bytes) {
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = std::size_t(std::countr_zero(rest));
    LaterSums::Sum sum{addresses[lane], 0, bytes};
    std::memcpy(&sum.value, values + lane * bytes, bytes);
    warp->block->sumLater(*warp, sum);
  }
}

void heddleAwaitTurn(WarpContext* warp) {
  warp->block->awaitTurn();
}

std::uint32_t heddleFindRange(WarpContext* warp, std::uint32_t site, const std::uint64_t* addresses,
                              std::uint32_t lanes, std::uint32_t bytes, std::uint32_t alignment) {
  return warp->block->lanesInMemory(*warp, site, addresses, lanes, bytes, alignment);
}

std::uint32_t heddleCheckOne(WarpContext* warp, std::uint32_t site, std::uint64_t address,
                             std::uint32_t lanes, std::uint32_t bytes, std::uint32_t alignment) {
  return warp->block->checkOne(*warp, site, address, lanes, bytes, alignment) ? 1 : 0;
}

void heddleCountOne(WarpContext* warp, std::uint32_t site, std::uint64_t address,
                    std::uint32_t lanes, std::uint32_t shared) {
  std::array<std::uint64_t, warpSize> addresses;
  const bool traced = shared == 0 && warp->trace != nullptr;
  if ((warp->counts & notesTouches) != 0 || traced)
    addresses.fill(address);
  if ((warp->counts & notesTouches) != 0)
    warp->block->noteTouches(*warp, site, addresses.data(), lanes);
  if ((warp->counts & countsMoved) == 0)
    return;
  const Counted counted{*warp, site, lanes};
  const std::uint64_t sector = address / sectorBytes;
  const NotedSectors noted =
      traced ? noteSectors(counted, {&sector, 1}, addresses.data()) : NotedSectors{};
  counted.add(1, 1, noted.fresh, noted.places, 1);
}

void heddleReadFixedClock(WarpContext* warp, std::uint32_t lanes, std::uint64_t* values) {
  constexpr std::uint64_t step = 1000;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = std::size_t(std::countr_zero(rest));
    values[lane] = ++warp->clockReads[lane] * step;
  }
}

void heddleAwaitLanes(WarpContext* warp, std::uint32_t site, std::uint32_t named,
                      std::uint32_t unnamed) {
  if (unnamed != 0)
    return warp->block->unnamedLanes(*warp, int(site), unnamed, named);
  warp->awaited = named;
  warp->awaitSite = site;
  warp->lookAt = 0; // the walk stops
}

std::int32_t heddlePrint(WarpContext* warp, std::uint32_t, const char* format,
                         const std::byte* arguments) {
  int count = 0;
  warp->block->print(formatDevicePrint(format, arguments, count));
  return count;
}

void heddleAssert(WarpContext* warp, std::uint32_t lane, const char* message, const char* file,
                  std::uint32_t line, const char* function) {
  warp->block->assertFailed(*warp, int(lane), message, file, line, function);
}

void heddleTrap(WarpContext* warp, std::uint32_t site, std::uint32_t lanes) {
  warp->block->trapped(*warp, site, lanes);
}

void heddleNameBarrier(WarpContext* warp, std::uint32_t site, std::uint32_t lanes,
                       const std::uint32_t* numbers, const std::uint32_t* threads,
                       std::uint32_t waits) {
  warp->block->nameBarrier(*warp, site, lanes, numbers, threads, waits != 0);
}

std::uint64_t heddleChildBuffer(WarpContext* warp, std::uint32_t site, std::uint32_t lane,
                                std::uint64_t kernel, const std::uint32_t* grid,
                                const std::uint32_t* block, std::uint32_t shared) {
  DeviceLaunch shape;
  std::copy_n(grid, shape.request.grid.size(), shape.request.grid.begin());
  std::copy_n(block, shape.request.block.size(), shape.request.block.begin());
  shape.request.dynamicShared = shared;
  return warp->block->childBuffer(*warp, site, int(lane), kernel, shape);
}

std::uint32_t heddleLaunchChild(WarpContext* warp, std::uint32_t site, std::uint32_t lane,
                                std::uint64_t buffer, std::uint64_t stream) {
  warp->block->launchChild(*warp, site, int(lane), buffer, stream);
  return 0; // cudaSuccess
}

std::uint32_t heddleLastError(WarpContext* warp, std::uint32_t, std::uint32_t lane) {
  return warp->block->lastError(*warp, int(lane), true);
}

std::uint32_t heddlePeekError(WarpContext* warp, std::uint32_t, std::uint32_t lane) {
  return warp->block->lastError(*warp, int(lane), false);
}

void* heddleMalloc(WarpContext* warp, std::uint64_t size) {
  warp->block->awaitTurn();
  return warp->block->allocate(size);
}

std::uint64_t heddleMapShared(WarpContext* warp, std::uint64_t address, std::uint32_t rank) {
  return warp->block->mapShared(address, rank);
}

std::uint64_t heddleShortAddress(WarpContext* warp, std::uint64_t address) {
  return warp->block->shortAddress(address);
}

std::uint32_t heddleSharedRank(WarpContext* warp, std::uint64_t address) {
  return warp->block->sharedRank(address);
}

void heddleFree(WarpContext* warp, std::uint32_t lane, void* begin) {
  warp->block->awaitTurn();
  warp->block->release(*warp, int(lane), begin);
}

std::uint32_t heddleSpaceOf(WarpContext* warp, std::uint64_t address) {
  return warp->block->isInOthersShared(address) ? othersShared
                                                : std::uint32_t(warp->block->spaceOf(address));
}

std::uint32_t heddleTexture(WarpContext* warp, std::uint32_t site, std::uint32_t lane,
                            std::uint64_t object, std::uint32_t shape, std::uint32_t x,
                            std::uint32_t y, std::uint32_t z, std::uint32_t layer,
                            std::uint32_t channel) {
  const Texture* texture = warp->block->textureFor(*warp, site, int(lane), object);
  return texture == nullptr
             ? 0
             : readTexture(*texture,
                           {.shape = shape, .at = {x, y, z}, .layer = layer, .channel = channel});
}

std::uint64_t heddleSurface(WarpContext* warp, std::uint32_t site, std::uint32_t lane,
                            std::uint64_t object, std::uint32_t x, std::uint32_t y, std::uint32_t z,
                            std::uint32_t bytes, std::uint32_t outside) {
  const Texture* surface = warp->block->textureFor(*warp, site, int(lane), object);
  if (surface == nullptr)
    return 0;
  return reinterpret_cast<std::uint64_t>(surfaceAddress(
      *surface, std::int32_t(x), std::int32_t(y), std::int32_t(z), bytes, SurfaceOutside(outside)));
}

std::uint32_t heddleTextureSize(WarpContext* warp, std::uint32_t site, std::uint32_t lane,
                                std::uint64_t object, std::uint32_t axis) {
  const Texture* texture = warp->block->textureFor(*warp, site, int(lane), object);
  return texture == nullptr ? 0 : std::uint32_t(texture->size.at(axis));
}

std::vector<std::pair<std::string, const void*>> helpers() {
  const auto of = [](auto* function) { return reinterpret_cast<const void*>(function); };
  return {{"heddleCarefulLoad", of(heddleCarefulLoad)},
          {"heddleCarefulStore", of(heddleCarefulStore)},
          {"heddleCarefulAtomic", of(heddleCarefulAtomic)},
          {"heddleSumPrivately", of(heddleSumPrivately)},
          {"heddleSumLater", of(heddleSumLater)},
          {"heddleAwaitTurn", of(heddleAwaitTurn)},
          {"heddleFindRange", of(heddleFindRange)},
          {"heddleCheckOne", of(heddleCheckOne)},
          {"heddleCountOne", of(heddleCountOne)},
          {"heddleReadFixedClock", of(heddleReadFixedClock)},
          {"heddleAwaitLanes", of(heddleAwaitLanes)},
          {"heddlePrint", of(heddlePrint)},
          {"heddleAssert", of(heddleAssert)},
          {"heddleTrap", of(heddleTrap)},
          {"heddleNameBarrier", of(heddleNameBarrier)},
          {"heddleChildBuffer", of(heddleChildBuffer)},
          {"heddleLaunchChild", of(heddleLaunchChild)},
          {"heddleLastError", of(heddleLastError)},
          {"heddlePeekError", of(heddlePeekError)},
          {"heddleMalloc", of(heddleMalloc)},
          {"heddleMapShared", of(heddleMapShared)},
          {"heddleSharedRank", of(heddleSharedRank)},
          {"heddleShortAddress", of(heddleShortAddress)},
          {"heddleFree", of(heddleFree)},
          {"heddleSpaceOf", of(heddleSpaceOf)},
          {"heddleTexture", of(heddleTexture)},
          {"heddleSurface", of(heddleSurface)},
          {"heddleTextureSize", of(heddleTextureSize)},
          {"heddleMatrix", of(heddleMatrix)}};
}

} // namespace heddle::engine
