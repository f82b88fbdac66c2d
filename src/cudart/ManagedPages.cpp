// SPDX-License-Identifier: Apache-2.0
#include "cudart/ManagedPages.h"

#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <cstring>

namespace heddle::cudart {
namespace {

std::uint64_t hashOf(const std::byte* begin, std::size_t size) {
  return llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(begin), size));
}

/// The pieces that a part lies in.
struct Pieces {
  std::size_t first, end;

  Pieces(const RegionPart& part, std::size_t count)
      : first(part.first / ManagedPages::pieceBytes),
        end(std::min(count, (part.end + ManagedPages::pieceBytes - 1) / ManagedPages::pieceBytes)) {
  }
};

} // namespace

std::size_t ManagedPages::Allocation::bytesOf(std::size_t piece) const {
  return std::min(pieceBytes, size - piece * pieceBytes);
}

bool ManagedPages::isFresh(const std::byte* begin, std::size_t size) const {
  return static_cast<unsigned char>(*begin) == fill_ &&
         std::memcmp(begin, begin + 1, size - 1) == 0;
}

/// A region that is new: what is not as it was made, the host has written. One that is too large to
/// look at is taken to be as it was made: most of it may never have been in memory.
ManagedPages::Allocation& ManagedPages::allocationOf(const Region& region) {
  const auto [known, isNew] = allocations_.try_emplace(region.made);
  Allocation& allocation = known->second;
  if (!isNew)
    return allocation;
  allocation.begin = region.begin;
  allocation.size = region.size;
  allocation.pieces.resize((region.size + pieceBytes - 1) / pieceBytes);
  if (region.size > allowance_)
    return allocation;
  allowance_ -= region.size;
  for (std::size_t i = 0; i < allocation.pieces.size(); ++i)
    if (!isFresh(allocation.at(i), allocation.bytesOf(i)))
      allocation.pieces[i].side = PageSide::Host;
  return allocation;
}

/// Forgets the regions that are gone, and learns of new ones.
void ManagedPages::follow(const Memory& memory) {
  std::map<std::uint64_t, Allocation> live;
  for (const auto& [address, region] : memory.regions())
    if (region.kind == MemoryKind::Managed && region.size > 0) {
      allocationOf(region);
      live.insert(allocations_.extract(region.made));
    }
  allocations_ = std::move(live);
}

void ManagedPages::look(const Memory& memory) {
  follow(memory);
  for (auto& [made, allocation] : allocations_) {
    const std::uint64_t bytes = 2 * allocation.size; // here, and when it is kept
    allocation.isCompared = bytes <= allowance_;
    if (!allocation.isCompared)
      continue;
    allowance_ -= bytes;
    for (std::size_t i = 0; i < allocation.pieces.size(); ++i)
      if (isChanged(allocation, i))
        allocation.pieces[i].side = PageSide::Host;
  }
}

bool ManagedPages::isChanged(const Allocation& allocation, std::size_t number) const {
  const Piece& piece = allocation.pieces[number];
  const std::byte* const begin = allocation.at(number);
  const std::size_t size = allocation.bytesOf(number);
  switch (piece.side) {
  case PageSide::Nobody:
    return !isFresh(begin, size);
  case PageSide::Device:
    return piece.hash && *piece.hash != hashOf(begin, size);
  case PageSide::Host:
    break;
  }
  return false;
}

void ManagedPages::keep() {
  for (auto& [made, allocation] : allocations_)
    for (std::size_t i = 0; i < allocation.pieces.size(); ++i) {
      Piece& piece = allocation.pieces[i];
      if (piece.side == PageSide::Nobody && allocation.isCompared && isChanged(allocation, i))
        piece.side = PageSide::Device; // by a block that is not in the sample
      if (piece.side == PageSide::Device)
        piece.hash = allocation.isCompared
                         ? std::optional(hashOf(allocation.at(i), allocation.bytesOf(i)))
                         : std::nullopt;
    }
}

ManagedPages::Moved
ManagedPages::touch(const Region& region, RegionPart part, std::uint64_t mostPieces,
                    const std::function<bool(const std::byte*, std::size_t)>& stays) {
  Allocation& allocation = allocationOf(region);
  const Pieces range(part, allocation.pieces.size());
  Moved moved;
  for (std::size_t i = range.first; i < range.end && mostPieces > 0; ++i) {
    Piece& piece = allocation.pieces[i];
    const std::size_t size = allocation.bytesOf(i);
    if (piece.side == PageSide::Device || stays(allocation.at(i), size))
      continue;
    (piece.side == PageSide::Host ? moved.written : moved.fresh) += size;
    piece = {.side = PageSide::Device, .hash = {}};
    --mostPieces;
  }
  return moved;
}

std::uint64_t ManagedPages::move(const Region& region, RegionPart part, PageSide to) {
  Allocation& allocation = allocationOf(region);
  const Pieces range(part, allocation.pieces.size());
  const PageSide other = to == PageSide::Device ? PageSide::Host : PageSide::Device;
  std::uint64_t bytes = 0;
  for (std::size_t i = range.first; i < range.end; ++i) {
    Piece& piece = allocation.pieces[i];
    const std::size_t size = allocation.bytesOf(i);
    bytes += piece.side == other ? size : 0;
    piece = {.side = to, .hash = {}};
    if (to == PageSide::Device)
      piece.hash = hashOf(allocation.at(i), size);
  }
  return bytes;
}

} // namespace heddle::cudart
