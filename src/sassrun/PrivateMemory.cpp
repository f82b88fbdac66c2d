// SPDX-License-Identifier: Apache-2.0
#include "sassrun/PrivateMemory.h"

#include <algorithm>
#include <cstring>

namespace heddle::sassrun {
namespace {

const std::byte* pointerTo(std::uint64_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of machine code are those of the process
  return reinterpret_cast<const std::byte*>(address);
}

} // namespace

bool PrivateMemory::isLive(std::uint64_t address, std::size_t size) {
  if (address < last_.begin || address >= last_.end)
    last_ = view_(address);
  return address >= last_.begin && address < last_.end && size <= last_.end - address;
}

bool PrivateMemory::read(std::uint64_t address, void* into, std::size_t size) {
  if (!isLive(address, size))
    return false;
  if (pages_.empty()) {
    std::memcpy(into, pointerTo(address), size);
    return true;
  }
  auto* bytes = static_cast<std::byte*>(into);
  while (size != 0) {
    const std::size_t now = std::min<std::size_t>(size, pageBytes - address % pageBytes);
    std::memcpy(bytes, readable(address), now);
    bytes += now;
    address += now;
    size -= now;
  }
  return true;
}

bool PrivateMemory::write(std::uint64_t address, const void* from, std::size_t size) {
  if (!isLive(address, size))
    return false;
  const auto* bytes = static_cast<const std::byte*>(from);
  while (size != 0) {
    const std::size_t now = std::min<std::size_t>(size, pageBytes - address % pageBytes);
    std::memcpy(writable(address), bytes, now);
    if (notesWrites_)
      note(address, now);
    bytes += now;
    address += now;
    size -= now;
  }
  return true;
}

const std::byte* PrivateMemory::readable(std::uint64_t address) {
  const auto found = pages_.find(address / pageBytes);
  if (found == pages_.end() || !found->second.has(address))
    return pointerTo(address);
  return found->second.bytes.get() + address % pageBytes;
}

std::byte* PrivateMemory::writable(std::uint64_t address) {
  Page& page = pages_[address / pageBytes];
  const std::uint64_t first = address - address % pageBytes;
  if (!page.bytes)
    page.bytes = std::make_unique_for_overwrite<std::byte[]>(pageBytes);
  if (!page.has(address)) {
    const LiveRange part{std::max(first, last_.begin), std::min(first + pageBytes, last_.end)};
    std::memcpy(page.bytes.get() + (part.begin - first), pointerTo(part.begin),
                part.end - part.begin);
    page.parts.push_back(part);
  }
  return page.bytes.get() + (address - first);
}

void PrivateMemory::note(std::uint64_t address, std::size_t size) {
  Page& page = pages_[address / pageBytes];
  if (!page.written)
    page.written = std::make_unique<std::bitset<pageBytes>>();
  for (std::size_t i = 0; i < size; ++i)
    page.written->set(address % pageBytes + i);
}

std::vector<WrittenBytes> PrivateMemory::written() const {
  std::vector<WrittenBytes> found;
  for (const auto& [number, page] : pages_)
    for (std::size_t i = 0; page.written && i < pageBytes; ++i) {
      if (!page.written->test(i))
        continue;
      WrittenBytes& piece = found.emplace_back();
      piece.address = number * pageBytes + i;
      for (; i < pageBytes && page.written->test(i); ++i)
        piece.bytes.push_back(page.bytes[i]);
    }
  std::ranges::sort(found, {}, &WrittenBytes::address);
  return found;
}

void PrivateMemory::clear() {
  pages_.clear();
  last_ = {};
}

void PrivateMemory::forEachPage(
    const std::function<void(std::uint64_t address, const std::byte* bytes, std::size_t size)>&
        visit) const {
  for (const auto& [number, page] : pages_)
    for (const LiveRange& part : page.parts)
      visit(part.begin, page.bytes.get() + part.begin % pageBytes, part.end - part.begin);
}

} // namespace heddle::sassrun
