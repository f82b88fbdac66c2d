// SPDX-License-Identifier: Apache-2.0
#include "sassrun/Spaces.h"

#include "sassrun/Block.h"

#include <cstring>
#include <vector>

namespace heddle::sassrun {
namespace {

/// The place of a shared address; nothing where the block has none there.
std::byte* findShared(Warp& warp, std::uint64_t address, std::size_t size) {
  std::vector<std::byte>& bytes = warp.block().shared();
  if (address >> sharedOffsetBits != 0) {
    warp.fail("uses shared memory of another block");
    return nullptr;
  }
  if (address + size > bytes.size()) {
    warp.fail("uses shared memory that the block does not have");
    return nullptr;
  }
  return bytes.data() + address;
}

/// The same of a local address; the thread's memory grows.
std::byte* findLocal(Warp& warp, int lane, std::uint64_t address, std::size_t size) {
  if (address + size > largestLocal) {
    warp.fail("uses more local memory than can be kept");
    return nullptr;
  }
  std::vector<std::byte>& bytes = warp.block().local(warp.number(), lane);
  if (bytes.size() < address + size)
    bytes.resize(address + size);
  return bytes.data() + address;
}

std::byte* find(Warp& warp, int lane, const Location& at, std::size_t size) {
  return at.space == Space::Shared ? findShared(warp, at.address, size)
                                   : findLocal(warp, lane, at.address, size);
}

bool isAligned(Warp& warp, const Location& at, std::size_t size) {
  if ((at.address & (size - 1)) == 0)
    return true;
  warp.fail("uses an address that is not aligned");
  return false;
}

} // namespace

Location resolve(Space space, std::uint64_t address) {
  if (space != Space::Generic)
    return {space, space == Space::Global ? address : std::uint32_t(address)};
  const auto window = std::uint32_t(address >> 32);
  if (window == sharedWindow)
    return {Space::Shared, std::uint32_t(address)};
  if (window == localWindow)
    return {Space::Local, std::uint32_t(address)};
  return {Space::Global, address};
}

bool readMemory(Warp& warp, int lane, const Location& at, void* into, std::size_t size) {
  if (!isAligned(warp, at, size))
    return false;
  if (at.space == Space::Global) {
    if (warp.block().global().read(at.address, into, size))
      return true;
    warp.fail("reads memory that is not live");
    return false;
  }
  const std::byte* found = find(warp, lane, at, size);
  if (found != nullptr)
    std::memcpy(into, found, size);
  return found != nullptr;
}

bool writeMemory(Warp& warp, int lane, const Location& at, const void* from, std::size_t size) {
  if (!isAligned(warp, at, size))
    return false;
  if (at.space == Space::Global) {
    if (warp.block().global().write(at.address, from, size))
      return true;
    warp.fail("writes memory that is not live");
    return false;
  }
  std::byte* found = find(warp, lane, at, size);
  if (found != nullptr)
    std::memcpy(found, from, size);
  return found != nullptr;
}

} // namespace heddle::sassrun
