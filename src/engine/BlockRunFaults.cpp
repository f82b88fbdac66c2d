// SPDX-License-Identifier: Apache-2.0
//
// The checks: whether an access is fine, and one line of text for everything that stops a run.
#include "engine/BlockRun.h"

#include "engine/NearMemory.h"
#include "support/Files.h"
#include "support/Parse.h"

#include <bit>
#include <charconv>

namespace heddle::engine {
namespace {

/// Whether the address is memory of this process, and so of the host program.
bool isMapped(std::uint64_t address) {
  const auto maps = readFile("/proc/self/maps");
  if (!maps)
    return false;
  for (const std::string_view line : splitText(*maps, '\n')) {
    std::uint64_t begin = 0, end = 0;
    const std::size_t dash = line.find('-');
    if (dash == std::string_view::npos)
      continue;
    std::from_chars(line.data(), line.data() + dash, begin, 16);
    std::from_chars(line.data() + dash + 1, line.data() + line.size(), end, 16);
    if (address >= begin && address < end)
      return true;
  }
  return false;
}

const char* verbOf(const FaultSite& site) {
  switch (site.kind) {
  case profile::AccessKind::Load:
    return "reads";
  case profile::AccessKind::Store:
    return "writes";
  case profile::AccessKind::Atomic:
    break;
  }
  return "changes";
}

/// Whether an access goes past the ends of the variable that its address is computed from.
bool isOutsideVariable(const FaultSite& site, std::uint64_t address, unsigned bytes) {
  const std::uint64_t offset = address - site.variableBegin;
  return site.variableSize != 0 &&
         (offset >= site.variableSize || bytes > site.variableSize - offset);
}

std::string maskText(LaneMask mask) {
  return fmt::format("{:#010x}", mask);
}

} // namespace

void BlockRun::fault(WarpContext& warp, Fault reason) {
  warp.faulted = 1;
  warp.lookAt = 0;
  launch_.stop(std::move(reason), clusterNumber_);
}

void BlockRun::fault(WarpContext& warp, FaultKind kind, std::string message) {
  fault(warp, {kind, std::move(message)});
}

/// "file:line: kernel 'k' " for a fault site.
std::string BlockRun::place(int site) const {
  const std::string kernel = fmt::format("kernel '{}': ", launch_.kernel.name());
  if (site < 0)
    return kernel;
  const profile::SourceLocation& where = launch_.kernel.faultSites[std::size_t(site)].site.where;
  return where.file.empty() ? kernel : fmt::format("{}:{}: {}", where.file, where.line, kernel);
}

std::string BlockRun::who(const WarpContext& warp, int lane) const {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", warp.threadIdx[0][lane],
                     warp.threadIdx[1][lane], warp.threadIdx[2][lane], warp.blockIdx[0],
                     warp.blockIdx[1], warp.blockIdx[2]);
}

/// Where an address is that this access may not touch.
std::string BlockRun::describeAddress(const FaultSite& site, std::uint64_t address,
                                      unsigned bytes) const {
  if (site.space == profile::MemorySpace::Local)
    return "far outside the thread's local memory";
  if (isOutsideVariable(site, address, bytes))
    return describeOutside(site, address);
  if (address < nullPage)
    return "a null pointer";
  if (std::string inCluster = describeInCluster(address, bytes); !inCluster.empty())
    return inCluster;
  const auto shared = reinterpret_cast<std::uint64_t>(shared_.get());
  if (sharedSize_ > 0 && address + bytes > shared + sharedSize_ &&
      address < shared + sharedSize_ + besideBytes)
    return fmt::format("{} bytes after the end of the block's shared memory ({} bytes)",
                       address - (shared + sharedSize_), sharedSize_);
  if (sharedSize_ > 0 && address < shared && address + besideBytes > shared)
    return fmt::format("{} bytes before the block's shared memory", shared - address);
  if (const Allocation* freed = launch_.memory.freed(address))
    return fmt::format("in {}, which has been freed", freed->what);
  const Allocation* before = launch_.memory.before(address);
  const Allocation* after = launch_.memory.after(address);
  const std::uint64_t pastEnd =
      before == nullptr ? ~std::uint64_t{0} : address - (before->begin + before->size);
  const std::uint64_t ahead = after == nullptr ? ~std::uint64_t{0} : after->begin - address;
  if (before != nullptr && address < before->begin + before->size)
    return fmt::format("across the end of {}", before->what);
  if (pastEnd <= ahead && pastEnd < besideBytes)
    return fmt::format("{} bytes after the end of {}", pastEnd, before->what);
  if (ahead < besideBytes)
    return fmt::format("{} bytes before {}", ahead, after->what);
  if (isMapped(address))
    return "memory of the host, which a kernel cannot see: copy it with cudaMemcpy, or allocate it "
           "with cudaMallocManaged";
  if (before != nullptr && pastEnd <= ahead)
    return fmt::format("in no live memory, {} bytes after the end of {}", pastEnd, before->what);
  return after == nullptr
             ? "in no live memory"
             : fmt::format("in no live memory, {} bytes before {}", ahead, after->what);
}

/// Where an address is from the variable that it is computed from.
std::string BlockRun::describeOutside(const FaultSite& site, std::uint64_t address) const {
  const Allocation* variable = launch_.memory.find(site.variableBegin, 1);
  const std::string what = variable == nullptr ? "a variable" : variable->what;
  const std::uint64_t end = site.variableBegin + site.variableSize;
  if (address < site.variableBegin)
    return fmt::format("{} bytes before {}", site.variableBegin - address, what);
  return address < end ? fmt::format("across the end of {}", what)
                       : fmt::format("{} bytes after the end of {}", address - end, what);
}

void BlockRun::accessFault(WarpContext& warp, unsigned site, int lane, std::uint64_t address,
                           unsigned bytes, unsigned alignment) {
  const FaultSite& info = launch_.kernel.faultSites[site];
  const bool misaligned = address % alignment != 0;
  const std::string what = misaligned ? fmt::format("which is no multiple of {}", alignment)
                                      : describeAddress(info, address, bytes);
  const bool mayPass = !misaligned && strayOf(info, address, bytes).has_value();
  fault(warp, {misaligned ? FaultKind::MisalignedAddress : FaultKind::IllegalAddress,
               fmt::format("{}{} {} {} bytes at {:#x}, {}", place(int(site)), who(warp, lane),
                           verbOf(info), bytes, address, what),
               mayPass});
}

const FaultSite& BlockRun::infoOf(const AccessSite& site) const {
  return launch_.kernel.faultSites[std::size_t(&site - worker_->counters.sites.data())];
}

/// Looks an address up, first in the range that the site hit last; remembers the range there.
bool BlockRun::findRange(std::uint64_t address, unsigned bytes, AccessSite& site) const {
  if (address - site.begin <= site.lastOffset)
    return true;
  const FaultSite& info = infoOf(site);
  if (isOutsideVariable(info, address, bytes))
    return false;
  std::uint64_t begin = 0, size = 0;
  const auto shared = reinterpret_cast<std::uint64_t>(shared_.get());
  const auto arguments = reinterpret_cast<std::uint64_t>(launch_.arguments.data());
  if (const Allocation* found = launch_.memory.find(address, bytes)) {
    begin = found->begin;
    size = found->size;
    if (worker_->sums.mirrors(begin) && !info.isSum)
      worker_->sums.end();
    if (worker_->later.has(begin) && !info.isLaterSum)
      awaitTurn();
  } else if (!cluster_.empty() && info.space != profile::MemorySpace::Shared &&
             sharedHolder(address, bytes) != nullptr) {
    // Another block's shared memory is reached by generic addresses. It is not remembered: the
    // block may have ended when this site is come to again, by any block.
    const BlockRun& holder = *sharedHolder(address, bytes);
    return holder.finished_ < holder.warps_;
  } else if (address - shared < sharedSize_ && bytes <= sharedSize_ - (address - shared)) {
    begin = shared;
    size = sharedSize_;
  } else if (const FramePool::Range frame = frames_.find(address, bytes); frame.size != 0) {
    begin = frame.begin;
    size = frame.size;
  } else if (const auto piece = launch_.memory.heap().find(address, bytes)) {
    begin = piece->begin;
    size = piece->size;
    if (worker_->later.has(begin) && !info.isLaterSum)
      awaitTurn();
  } else if (address - arguments < launch_.arguments.size() &&
             bytes <= launch_.arguments.size() - (address - arguments)) {
    begin = arguments;
    size = launch_.arguments.size();
  } else {
    return false;
  }
  site.begin = begin;
  site.lastOffset = size - bytes;
  return true;
}

void BlockRun::sumPrivately(const WarpContext& warp, std::uint64_t address, unsigned bytes) {
  const Allocation* found = launch_.memory.find(address, bytes);
  if (found == nullptr) // of the heap: it may be freed
    return worker_->sums.end();
  bool isOnlySummed = found->size <= PrivateSums::mostBytes && found->begin % bytes == 0;
  for (std::size_t i = 0; i < launch_.kernel.faultSites.size(); ++i)
    isOnlySummed =
        isOnlySummed && (warp.sites[i].begin != found->begin || launch_.kernel.faultSites[i].isSum);
  if (isOnlySummed && !worker_->sums.mirrors(found->begin))
    worker_->sums.start(found->begin, found->size, bytes);
  else
    worker_->sums.end();
}

void BlockRun::awaitTurn() const {
  if (worker_->alone || !launch_.kernel.endsInOrder)
    return;
  const std::int64_t turn = launch_.turnOf(clusterNumber_);
  if (!launch_.sequence.isFirst(turn))
    launch_.sequence.await(turn);
  worker_->later.settle();
}

void BlockRun::sumLater(const WarpContext& warp, const LaterSums::Sum& sum) {
  if (launch_.sequence.isFirst(launch_.turnOf(clusterNumber_))) {
    worker_->later.settle();
    return LaterSums::settle(sum);
  }
  if (worker_->later.takes(sum.address))
    return worker_->later.add(sum);
  if (const Allocation* found = launch_.memory.find(sum.address, sum.bytes))
    addNowOrLater(warp, *found, sum);
  else if (const auto piece = launch_.memory.heap().find(sum.address, sum.bytes))
    addNowOrLater(warp, *piece, sum);
  else
    LaterSums::settle(sum); // the block's own memory
}

/// Later, unless the block has read or written the allocation otherwise.
void BlockRun::addNowOrLater(const WarpContext& warp, const Allocation& allocation,
                             const LaterSums::Sum& sum) {
  LaterSums& later = worker_->later;
  bool isOnlySummed = later.count() < LaterSums::most;
  for (std::size_t i = 0; i < launch_.kernel.faultSites.size(); ++i)
    isOnlySummed = isOnlySummed && (warp.sites[i].begin != allocation.begin ||
                                    launch_.kernel.faultSites[i].isLaterSum);
  if (isOnlySummed)
    later.note(allocation.begin, allocation.size);
  if (isOnlySummed)
    return later.add(sum);
  awaitTurn();
  LaterSums::settle(sum);
}

bool BlockRun::checkOne(WarpContext& warp, unsigned site, std::uint64_t address, LaneMask lanes,
                        unsigned bytes, unsigned alignment) {
  if (address % alignment == 0 && findRange(address, bytes, warp.sites[site]))
    return true;
  if (warp.faulted || (address % alignment == 0 && letsPass(warp, site, address, lanes, bytes)))
    return false;
  accessFault(warp, site, std::countr_zero(lanes), address, bytes, alignment);
  return false;
}

LaneMask BlockRun::lanesInMemory(WarpContext& warp, unsigned site, const std::uint64_t* addresses,
                                 LaneMask lanes, unsigned bytes, unsigned alignment) const {
  LaneMask fine = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (addresses[lane] % alignment == 0 && findRange(addresses[lane], bytes, warp.sites[site]))
      fine |= LaneMask{1} << lane;
  }
  return fine;
}

std::uint32_t BlockRun::checkAccess(WarpContext& warp, unsigned site,
                                    const std::uint64_t* addresses, LaneMask lanes, unsigned bytes,
                                    unsigned alignment) {
  // Most lie in the range hit last.
  const AccessSite& last = warp.sites[site];
  LaneMask fine = 0;
  for (int lane = 0; lane < warpSize; ++lane) {
    const bool isFine =
        addresses[lane] - last.begin <= last.lastOffset && (addresses[lane] & (alignment - 1)) == 0;
    fine |= LaneMask(isFine ? 1 : 0) << lane;
  }
  fine &= lanes;
  for (LaneMask rest = lanes & ~fine; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (checkOne(warp, site, addresses[lane], LaneMask{1} << lane, bytes, alignment))
      fine |= LaneMask{1} << lane;
  }
  return fine;
}

void BlockRun::missingLanes(WarpContext& warp, unsigned site, LaneMask lanes, LaneMask missing,
                            LaneMask named) {
  fault(warp, FaultKind::MissingLanes,
        fmt::format("{}the mask {} names lane {}, which does not take part; lanes {} do ({})",
                    place(int(site)), maskText(named), std::countr_zero(missing), maskText(lanes),
                    who(warp, std::countr_zero(lanes))));
}

/// `named` is what the masks of all lanes name that are here.
void BlockRun::unnamedLanes(WarpContext& warp, int site, LaneMask lanes, LaneMask named) {
  const int lane = std::countr_zero(lanes);
  const std::string mask =
      (named >> lane & 1) != 0 ? "its mask" : fmt::format("the mask {}", maskText(named));
  fault(warp, FaultKind::UnnamedLane,
        fmt::format("{}lane {} takes part, but {} does not name it ({})", place(site), lane, mask,
                    who(warp, lane)));
}

void BlockRun::missingAtBarrier(WarpContext& warp, const WarpRun& run) {
  const LaneMask waiting = run.lanesAtBarrier();
  const LaneMask missing = run.missingAtBarrier();
  fault(warp, FaultKind::DivergentBarrier,
        fmt::format("{}not all threads of the block reach this barrier: {} waits here, thread "
                    "({},{},{}) does not come",
                    place(run.barrierSite()), who(warp, std::countr_zero(waiting)),
                    warp.threadIdx[0][std::countr_zero(missing)],
                    warp.threadIdx[1][std::countr_zero(missing)],
                    warp.threadIdx[2][std::countr_zero(missing)]));
}

void BlockRun::stackOverflow(WarpContext& warp, int site, LaneMask lanes,
                             const std::string& callee) {
  fault(warp, FaultKind::StackOverflow,
        fmt::format("{}stack overflow: the call of '{}' by {} needs more than {} bytes; raise "
                    "cudaLimitStackSize if the recursion ends",
                    place(site), callee, who(warp, std::countr_zero(lanes)), stackLimit()));
}

void BlockRun::badCall(WarpContext& warp, int site, LaneMask lanes, std::uint64_t target) {
  fault(warp, FaultKind::IllegalAddress,
        fmt::format("{}{} calls {:#x}, which is no device function", place(site),
                    who(warp, std::countr_zero(lanes)), target));
}

void BlockRun::assertFailed(WarpContext& warp, int lane, const char* message, const char* file,
                            unsigned line, const char* function) {
  if (!warp.faulted)
    fault(warp, FaultKind::Assert,
          fmt::format("{}:{}: {}: {}: assertion `{}` failed", file, line, function, who(warp, lane),
                      message));
}

void* BlockRun::allocate(std::size_t size) const {
  return launch_.memory.heap().allocate(size);
}

void BlockRun::release(WarpContext& warp, int lane, const void* begin) {
  if (begin != nullptr && !launch_.memory.heap().release(begin) && !warp.faulted)
    fault(warp, FaultKind::IllegalAddress,
          fmt::format("{}{} frees {}, which malloc of device code did not give", place(-1),
                      who(warp, lane), fmt::ptr(begin)));
}

void BlockRun::trapped(WarpContext& warp, unsigned site, LaneMask lanes) {
  fault(warp, FaultKind::Trap,
        fmt::format("{}{} hits a trap", place(int(site)), who(warp, std::countr_zero(lanes))));
}

const Texture* BlockRun::textureFor(WarpContext& warp, unsigned site, int lane,
                                    std::uint64_t object) {
  const Texture* texture = TextureTable::instance().find(object);
  if (texture != nullptr &&
      launch_.memory.find(reinterpret_cast<std::uint64_t>(texture->data), 1) != nullptr)
    return texture;
  if (!warp.faulted)
    fault(warp, FaultKind::IllegalAddress,
          fmt::format("{}{} uses the texture or surface {:#x}, {}", place(int(site)),
                      who(warp, lane), object,
                      texture == nullptr ? "which was never made or is destroyed"
                                         : "whose memory is freed"));
  return nullptr;
}

profile::MemorySpace BlockRun::spaceOf(std::uint64_t address) const {
  if (address - reinterpret_cast<std::uint64_t>(shared_.get()) < sharedSize_)
    return profile::MemorySpace::Shared;
  return frames_.find(address, 1).size != 0 ? profile::MemorySpace::Local
                                            : profile::MemorySpace::Global;
}

void BlockRun::reportHang(bool blocksLeft) {
  for (std::size_t warp = 0; warp < runs_.size(); ++warp) {
    if (states_[warp] != WarpState::Spinning)
      continue;
    const WarpRun& run = runs_[warp];
    std::string why = "no other thread of the launch can change what it waits for, nor can the "
                      "host or another stream: Heddle runs one launch at a time";
    if (run.othersWait() && launch_.settings.reconvergence == Reconvergence::Stack)
      why = fmt::format("lanes {} of its warp wait for it at the join; before Volta they cannot go "
                        "on (--reconvergence volta)",
                        maskText(run.liveLanes() & ~run.runningLanes()));
    else if (blocksLeft)
      why = fmt::format("blocks that have not started cannot: only {} fit on the device at once",
                        launch_.settings.residentBlocks);
    return fault(contexts_[warp], FaultKind::Hang,
                 fmt::format("{}{} waits for ever: {}", place(run.pollSite()),
                             who(contexts_[warp], std::countr_zero(run.runningLanes())), why));
  }
}

} // namespace heddle::engine
