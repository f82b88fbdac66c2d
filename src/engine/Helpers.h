// SPDX-License-Identifier: Apache-2.0
//
// What compiled code calls when a vector instruction is not enough. Masks are 32 bits, one a lane.
#pragma once

#include "engine/WarpContext.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::engine {

/// Names and addresses for the JIT.
std::vector<std::pair<std::string, const void*>> helpers();

inline constexpr std::uint32_t carefulShared = 1u << 31;

extern "C" {

/// An access lane by lane: checks it, counts it in warps that count, and makes it. `shape` holds
/// the bytes of a lane, from bit 16 on the logarithm of the alignment, and carefulShared. Values
/// lie one after the other. Returns the lanes whose access is fine; the run stops at the first that
/// is not.
std::uint32_t heddleCarefulLoad(WarpContext* warp, std::uint32_t site,
                                const std::uint64_t* addresses, std::uint32_t lanes,
                                std::uint32_t shape, std::byte* values);
std::uint32_t heddleCarefulStore(WarpContext* warp, std::uint32_t site,
                                 const std::uint64_t* addresses, std::uint32_t lanes,
                                 std::uint32_t shape, const std::byte* values);
/// An atomic is made afterwards.
std::uint32_t heddleCarefulAtomic(WarpContext* warp, std::uint32_t site,
                                  const std::uint64_t* addresses, std::uint32_t lanes,
                                  std::uint32_t shape, const std::byte*);

/// For an addition outside the memory that the worker mirrors; the next one may find it there.
void heddleSumPrivately(WarpContext* warp, std::uint64_t address, std::uint32_t bytes);

/// Sums of floats, of 4 or 8 bytes each: values lie one after the other.
void heddleSumLater(WarpContext* warp, std::uint32_t lanes, const std::uint64_t* addresses,
                    const std::byte* values, std::uint32_t bytes);

/// Before an atomic that other blocks can see the order of.
void heddleAwaitTurn(WarpContext* warp);

/// For lanes outside the range that a site hit last: returns those that lie in live memory, and
/// remembers its range. What is not fine is looked at again, access by access.
std::uint32_t heddleFindRange(WarpContext* warp, std::uint32_t site, const std::uint64_t* addresses,
                              std::uint32_t lanes, std::uint32_t bytes, std::uint32_t alignment);

/// For one address that all given lanes share.
std::uint32_t heddleCheckOne(WarpContext* warp, std::uint32_t site, std::uint64_t address,
                             std::uint32_t lanes, std::uint32_t bytes, std::uint32_t alignment);

/// Counts an access to one address that all given lanes share, in a warp that counts.
void heddleCountOne(WarpContext* warp, std::uint32_t site, std::uint64_t address,
                    std::uint32_t lanes, std::uint32_t shared);

/// What the given lanes read from a fixed clock.
void heddleReadFixedClock(WarpContext* warp, std::uint32_t lanes, std::uint64_t* values);

/// For lanes that have to wait for some that their mask names; or that it does not name.
void heddleAwaitLanes(WarpContext* warp, std::uint32_t site, std::uint32_t named,
                      std::uint32_t unnamed);
std::int32_t heddlePrint(WarpContext* warp, std::uint32_t lane, const char* format,
                         const std::byte* arguments);
void heddleAssert(WarpContext* warp, std::uint32_t lane, const char* message, const char* file,
                  std::uint32_t line, const char* function);
void heddleTrap(WarpContext* warp, std::uint32_t site, std::uint32_t lanes);

/// `bar.sync number, threads` of lanes; `waits` is false for bar.arrive.
void heddleNameBarrier(WarpContext* warp, std::uint32_t site, std::uint32_t lanes,
                       const std::uint32_t* numbers, const std::uint32_t* threads,
                       std::uint32_t waits);

/// Launches by device code, as CUDA's device runtime has them: extents are three words each.
std::uint64_t heddleChildBuffer(WarpContext* warp, std::uint32_t site, std::uint32_t lane,
                                std::uint64_t kernel, const std::uint32_t* grid,
                                const std::uint32_t* block, std::uint32_t shared);
std::uint32_t heddleLaunchChild(WarpContext* warp, std::uint32_t site, std::uint32_t lane,
                                std::uint64_t buffer, std::uint64_t stream);
std::uint32_t heddleLastError(WarpContext* warp, std::uint32_t site, std::uint32_t lane);
std::uint32_t heddlePeekError(WarpContext* warp, std::uint32_t site, std::uint32_t lane);

void* heddleMalloc(WarpContext* warp, std::uint64_t size);
std::uint64_t heddleMapShared(WarpContext* warp, std::uint64_t address, std::uint32_t rank);
std::uint64_t heddleShortAddress(WarpContext* warp, std::uint64_t address);
std::uint32_t heddleSharedRank(WarpContext* warp, std::uint64_t address);
void heddleFree(WarpContext* warp, std::uint32_t lane, void* begin);

/// What heddleSpaceOf says of the shared memory of another block of the cluster.
inline constexpr std::uint32_t othersShared = 255;
/// profile::MemorySpace of an address, as a number.
std::uint32_t heddleSpaceOf(WarpContext* warp, std::uint64_t address);
}

} // namespace heddle::engine
