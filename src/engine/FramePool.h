// SPDX-License-Identifier: Apache-2.0
//
// Memory for the frames of one block's warps. Frames are given back and used again; local variables
// lie in them, so the pool also knows which addresses are local memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

namespace heddle::engine {

class FramePool {
public:
  /// `fresh`: what local variables hold before they are written.
  explicit FramePool(unsigned char fresh) : fresh_(fresh) {}

  /// Local variables lie from `localBegin` on.
  std::byte* take(std::size_t size, std::size_t localBegin) {
    std::vector<std::byte*>& free = free_[size];
    if (free.empty())
      addChunk(size, free);
    std::byte* frame = free.back();
    free.pop_back();
    std::memset(frame + localBegin, fresh_, size - localBegin);
    return frame;
  }

  void giveBack(std::byte* frame, std::size_t size) { free_[size].push_back(frame); }

  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };
  /// The piece of our memory that holds some bytes; an empty range if there is none.
  Range find(std::uint64_t address, std::uint64_t bytes) const {
    for (const Chunk& chunk : chunks_) {
      const auto begin = reinterpret_cast<std::uint64_t>(chunk.memory.get());
      if (address - begin < chunk.size && bytes <= chunk.size - (address - begin))
        return {begin, chunk.size};
    }
    return {};
  }

private:
  static constexpr std::size_t alignment = 128; ///< the most of a local variable
  static constexpr std::size_t wantedChunk = 64 * 1024;

  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  struct Chunk {
    std::unique_ptr<std::byte[], Free> memory;
    std::size_t size;
  };

  void addChunk(std::size_t size, std::vector<std::byte*>& free) {
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    const std::size_t count = std::max<std::size_t>(1, wantedChunk / rounded);
    chunks_.push_back({std::unique_ptr<std::byte[], Free>(
                           static_cast<std::byte*>(std::aligned_alloc(alignment, count * rounded))),
                       count * rounded});
    for (std::size_t i = count; i > 0; --i)
      free.push_back(chunks_.back().memory.get() + (i - 1) * rounded);
  }

  unsigned char fresh_;
  std::vector<Chunk> chunks_;
  std::map<std::size_t, std::vector<std::byte*>> free_; ///< by size
};

} // namespace heddle::engine
