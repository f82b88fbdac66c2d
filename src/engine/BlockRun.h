// SPDX-License-Identifier: Apache-2.0
//
// Runs one block of the grid at a time: its warps in turn from barrier to barrier, with shared
// memory and frames of its own.
#pragma once

#include "engine/Counters.h"
#include "engine/FramePool.h"
#include "engine/Launch.h"
#include "engine/LaunchState.h"
#include "engine/SectorNumbers.h"
#include "engine/Textures.h"
#include "engine/WarpRun.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::engine {

enum class BlockState {
  Finished,
  TurnOver,  ///< it goes on when others had theirs
  Waiting,   ///< every warp waits for memory to change: other blocks should run
  AtCluster, ///< every warp waits at a barrier, one of them at that of the cluster
  Faulted,   ///< the launch knows why
};

/// Where a block is in its cluster, and the cluster in the grid.
struct ClusterPlace {
  std::array<int, 3> cluster = {}, block = {};
  int rank = 0;
  std::int64_t number = 0; ///< of the cluster
};

class BlockRun {
public:
  explicit BlockRun(LaunchState& launch);
  ~BlockRun();
  BlockRun(const BlockRun&) = delete;
  BlockRun& operator=(const BlockRun&) = delete;

  /// Makes it one of several blocks of a cluster, itself among them, by their rank.
  void join(std::span<const std::unique_ptr<BlockRun>> cluster) { cluster_ = cluster; }

  /// Gets ready for a block of the grid; its place is that of a cluster of one if it has not
  /// joined.
  void start(std::int64_t number, const ClusterPlace& place);

  /// Runs on with the counters of the thread that calls.
  BlockState run(Worker& worker);

  /// Counts with those of this thread from now on.
  void attach(Worker& worker);

  /// Whether a warp waits at the cluster's barrier.
  bool waitsAtCluster() const;
  /// The first thread of the block that has not come to it; nothing if none is missing.
  std::optional<std::string> missingAtCluster() const;
  /// All threads of the cluster have come to its barrier: those that wait there go on.
  bool passCluster();
  /// A thread waits there for ever.
  void reportCluster(const std::string& missing);

  /// Whether the last run got anywhere.
  bool progressed() const { return progressed_; }

  std::int64_t number() const { return number_; }

  /// Charges what is open, for a run that ends early.
  void settle(Worker& worker);

  /// Says of one of the waiting warps where it waits, as a fault.
  void reportHang(bool blocksLeft);

  /// What its threads have printed.
  std::string takeText() { return std::exchange(text_, {}); }

  // For the run of a warp and for compiled code.
  bool accounts() const { return launch_.settings.account; }
  bool warpsTakeTurns() const { return launch_.warpsTakeTurns(); }
  std::size_t stackLimit() const { return launch_.settings.stackBytes; }
  /// Counts instructions, and looks whether the launch is to stop.
  bool mayGoOn(WarpContext& warp, std::uint64_t instructions);
  /// After which a warp looks up: often where there is a limit that is to be kept.
  std::uint64_t instructionsBetweenChecks() const;
  std::uint32_t checkAccess(WarpContext& warp, unsigned site, const std::uint64_t* addresses,
                            LaneMask lanes, unsigned bytes, unsigned alignment);
  LaneMask lanesInMemory(WarpContext& warp, unsigned site, const std::uint64_t* addresses,
                         LaneMask lanes, unsigned bytes, unsigned alignment) const;
  bool checkOne(WarpContext& warp, unsigned site, std::uint64_t address, LaneMask lanes,
                unsigned bytes, unsigned alignment);
  /// Keeps additions to the memory at an address to the worker, if nothing speaks against it.
  void sumPrivately(const WarpContext& warp, std::uint64_t address, unsigned bytes);
  /// Adds floats, now or when it is the block's turn.
  void sumLater(const WarpContext& warp, const LaterSums::Sum& sum);
  /// Returns when no block before this one runs any more.
  void awaitTurn() const;
  void missingLanes(WarpContext& warp, unsigned site, LaneMask lanes, LaneMask missing,
                    LaneMask named);
  void unnamedLanes(WarpContext& warp, int site, LaneMask lanes, LaneMask named);
  void stackOverflow(WarpContext& warp, int site, LaneMask lanes, const std::string& callee);
  void badCall(WarpContext& warp, int site, LaneMask lanes, std::uint64_t target);
  void assertFailed(WarpContext& warp, int lane, const char* message, const char* file,
                    unsigned line, const char* function);
  void* allocate(std::size_t size) const;
  void release(WarpContext& warp, int lane, const void* begin);
  /// Lanes come to a barrier with a number; those that wait stop at the end of their basic block.
  void nameBarrier(WarpContext& warp, unsigned site, LaneMask lanes, const std::uint32_t* numbers,
                   const std::uint32_t* threads, bool waits);
  void trapped(WarpContext& warp, unsigned site, LaneMask lanes);
  /// What is at the same place in the shared memory of another block of the cluster.
  std::uint64_t mapShared(std::uint64_t address, std::uint32_t rank) const;
  /// Of the block whose shared memory holds the address; ~0 if none does.
  std::uint32_t sharedRank(std::uint64_t address) const;
  /// Its number among the short addresses of shared memory.
  std::uint64_t shortAddress(std::uint64_t address) const;
  bool isInOthersShared(std::uint64_t address) const;
  /// Whether some of the lanes go there.
  bool reachesOthers(const std::uint64_t* addresses, LaneMask lanes) const;
  /// Device memory for the arguments of a launch, 0 and an error of the thread where CUDA refuses
  /// its shape.
  std::uint64_t childBuffer(WarpContext& warp, unsigned site, int lane, std::uint64_t kernel,
                            const DeviceLaunch& shape);
  void launchChild(WarpContext& warp, unsigned site, int lane, std::uint64_t buffer,
                   std::uint64_t stream);
  /// CUDA's number of the last error of a thread.
  std::uint32_t lastError(const WarpContext& warp, int lane, bool clear);
  /// Nothing, and a fault, where there is none of that number or its memory is not live.
  const Texture* textureFor(WarpContext& warp, unsigned site, int lane, std::uint64_t object);
  void print(std::string_view text) { text_ += text; }
  profile::MemorySpace spaceOf(std::uint64_t address) const;
  /// Notes that a warp uses a sector; whether it is the first of its block to do so.
  bool touch(std::uint64_t sector, profile::WarpTrace& warp) {
    const SectorNumbers::Number found = sectors_.numberOf(sector);
    warp.sectors.push_back(found.number);
    return found.isNew;
  }
  /// Remembers which allocation a traced access goes to, and how many of its sectors are new.
  /// Returns whether there is one: arguments and frames are in none.
  bool noteSectors(std::uint32_t site, std::uint64_t address, std::uint64_t sectors,
                   std::uint64_t fresh);

  /// Counts a traced access to device memory, if it is an atomic.
  void noteAtomic(const WarpContext& warp, std::uint32_t site, const std::uint64_t* addresses,
                  LaneMask lanes);

  /// A warp waits for memory to change.
  void notePolling() { launch_.polled = polled_ = true; }
  /// One that runs beside others must not depend on how far they are.
  bool hasPolled() const { return launch_.inTurns ? launch_.polled.load() : polled_; }

  /// For launches that are asked which threads touch which bytes.
  void noteTouches(const WarpContext& warp, std::uint32_t site, const std::uint64_t* addresses,
                   LaneMask lanes);

private:
  int threadOf(const WarpContext& warp, int lane) const;

  struct AlignedFree {
    void operator()(std::byte* memory) const;
  };
  using AlignedMemory = std::unique_ptr<std::byte[], AlignedFree>;

  WarpContext& context(int warp) { return contexts_[std::size_t(warp)]; }
  void prepareContext(int warp);
  bool runWarps();
  void passPlainBarrier();
  bool passBarrier();
  void sortWarps();
  void finish();
  void giveTrace();
  void placeInCluster(WarpContext& warp, const ClusterPlace& place) const;
  const BlockRun* sharedHolder(std::uint64_t address, unsigned bytes) const;
  void comeToCluster(WarpContext& warp, unsigned site, LaneMask lanes, bool waits);
  bool leaveCluster(int warp);
  bool passOpenCluster(int warp);
  bool checkBarrier(WarpContext& warp, unsigned site, LaneMask lanes, std::uint32_t number,
                    std::uint32_t threads);
  void arriveAt(WarpContext& warp, unsigned site, std::uint32_t number, std::uint32_t threads,
                int come);
  void openBarrier(std::uint32_t number);
  bool countWaiting(int warp);
  bool waitAtOneBarrier();
  void missingAtBarrier(WarpContext& warp, const WarpRun& run);
  bool noteSharedTouch(std::uint64_t address, unsigned bytes, Touch touch);
  void noteTouchOfLane(std::uint64_t address, unsigned bytes, Touch touch);
  bool isGlobal(std::uint64_t address);
  std::string place(int site) const;
  std::string who(const WarpContext& warp, int lane) const;
  std::string describeInCluster(std::uint64_t address, unsigned bytes) const;
  std::string describeAddress(const FaultSite& site, std::uint64_t address, unsigned bytes) const;
  std::string describeOutside(const FaultSite& site, std::uint64_t address) const;
  const FaultSite& infoOf(const AccessSite& site) const;
  void addNowOrLater(const WarpContext& warp, const Allocation& allocation,
                     const LaterSums::Sum& sum);
  bool findRange(std::uint64_t address, unsigned bytes, AccessSite& site) const;
  std::optional<StrayPlace> strayOf(const FaultSite& site, std::uint64_t address,
                                    unsigned bytes) const;
  std::optional<StrayPlace> strayOfShared(const FaultSite& site, std::uint64_t address,
                                          unsigned bytes) const;
  bool letsPass(const WarpContext& warp, unsigned site, std::uint64_t address, LaneMask lanes,
                unsigned bytes);
  void accessFault(WarpContext& warp, unsigned site, int lane, std::uint64_t address,
                   unsigned bytes, unsigned alignment);
  void fault(WarpContext& warp, Fault reason);
  void fault(WarpContext& warp, FaultKind kind, std::string message);

  /// One with a number and a count.
  struct Barrier {
    std::uint32_t threads = 0, come = 0;
  };

  LaunchState& launch_;
  std::span<const std::unique_ptr<BlockRun>> cluster_; ///< nothing where it has one block
  Worker* worker_ = nullptr;
  std::int64_t number_ = 0;
  std::int64_t clusterNumber_ = 0;
  std::uint64_t told_ = 0; ///< instructions that the launch knows of
  int threads_;
  int warps_;
  std::size_t sharedSize_;
  AlignedMemory shared_;
  AlignedMemory outgoing_; ///< for the arguments of calls; warps do not run at the same time
  FramePool frames_;
  std::vector<WarpContext> contexts_;
  std::vector<WarpRun> runs_;
  std::vector<WarpState> states_;
  std::vector<int> order_;    ///< in which the warps run
  bool ordersWarps_;          ///< whether the order can matter
  profile::BlockTrace trace_; ///< of a block that counts
  SectorNumbers sectors_;     ///< that it has used
  /// Of each warp, by line, as far as it was traced.
  std::vector<std::map<std::uint64_t, profile::AtomicPasses>> atomics_;
  FootprintBySite footprints_;
  TouchedBytes sharedTouches_;              ///< by offset in shared memory
  const Allocation* touchedLast_ = nullptr; ///< by a global access
  std::string text_;                        ///< printed
  bool polled_ = false;
  bool progressed_ = true;
  int finished_ = 0, spinning_ = 0; ///< warps, after the last turn
  int waitingPlainly_ = 0;          ///< warps at a barrier, whole and without a vote
  std::array<Barrier, 16> barriers_ = {};
  bool opened_ = false;  ///< one of them, in the last turn
  bool gaveWay_ = false; ///< a warp, in the last turn, to whoever it waits for
  std::map<std::uint64_t, DeviceLaunch> prepared_; ///< by buffer: launches that lack arguments
  std::vector<DeviceLaunch> children_;             ///< that it has launched
  std::map<int, std::uint32_t> lastErrors_;        ///< by thread, where there is one
};

} // namespace heddle::engine
