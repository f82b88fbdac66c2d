// SPDX-License-Identifier: Apache-2.0
//
// The groups that are parts of others: tiles of a size that is known when compiling, and groups of
// any lanes of a warp. Part of cooperative_groups.h.
#ifndef HEDDLE_COMPAT_TILES_H
#define HEDDLE_COMPAT_TILES_H

#include "heddle_groups.h"

namespace cooperative_groups {
inline namespace __v1 {
namespace heddle {

// Moves a value of any type that is copied by its bytes, a register after the other.
template <class T, class Move> HEDDLE_GROUP T byWords(T value, Move move) {
  static_assert(sizeof(T) <= 32, "a group's shuffles move up to 32 bytes");
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i)
    buffer[i] = move(buffer[i]);
  __builtin_memcpy(&value, buffer, sizeof(T));
  return value;
}

template <class T> struct Plain {
  typedef T type;
};
template <class T> struct Plain<T&> : Plain<T> {};
template <class T> struct Plain<T&&> : Plain<T> {};
template <class T> struct Plain<const T> : Plain<T> {};
template <class Result, class... Arguments> struct Plain<Result(Arguments...)> {
  typedef Result (*type)(Arguments...);
};
#ifdef __cpp_noexcept_function_type
template <class Result, class... Arguments> struct Plain<Result(Arguments...) noexcept> {
  typedef Result (*type)(Arguments...) noexcept;
};
#endif

} // namespace heddle

// Some lanes of a warp. A lane's rank is the number of the group's lanes below it.
class coalesced_group : public thread_group {
public:
  HEDDLE_MEMBER unsigned num_threads() const { return __popc(mask()); }
  HEDDLE_MEMBER unsigned size() const { return num_threads(); }
  HEDDLE_MEMBER unsigned thread_rank() const {
    return __popc(mask() & ((1u << heddle::lane()) - 1));
  }
  HEDDLE_MEMBER void sync() const { __syncwarp(mask()); }
  HEDDLE_MEMBER unsigned meta_group_rank() const { return metaRank_; }
  HEDDLE_MEMBER unsigned meta_group_size() const { return metaSize_; }

  template <class T> HEDDLE_MEMBER typename heddle::Plain<T>::type shfl(T&& value, int rank) const {
    return move<typename heddle::Plain<T>::type>(value, laneOf(rank));
  }
  template <class T>
  HEDDLE_MEMBER typename heddle::Plain<T>::type shfl_up(T&& value, int delta) const {
    const int rank = thread_rank(), from = rank - delta;
    return move<typename heddle::Plain<T>::type>(value, laneOf(from < 0 ? rank : from));
  }
  template <class T>
  HEDDLE_MEMBER typename heddle::Plain<T>::type shfl_down(T&& value, unsigned delta) const {
    const unsigned rank = thread_rank(), from = rank + delta;
    return move<typename heddle::Plain<T>::type>(value, laneOf(from >= size() ? rank : from));
  }
  HEDDLE_MEMBER int any(int predicate) const { return (__ballot_sync(mask(), predicate) != 0); }
  HEDDLE_MEMBER int all(int predicate) const { return __ballot_sync(mask(), predicate) == mask(); }
  HEDDLE_MEMBER unsigned ballot(int predicate) const {
    return packed(__ballot_sync(mask(), predicate));
  }
  template <class T> HEDDLE_MEMBER unsigned match_any(T value) const {
    return packed(__match_any_sync(mask(), value));
  }
  template <class T> HEDDLE_MEMBER unsigned match_all(T value, int& isSame) const {
    return packed(__match_all_sync(mask(), value, &isSame));
  }
  HEDDLE_MEMBER unsigned heddle_mask() const { return mask(); }
  HEDDLE_MEMBER explicit coalesced_group(unsigned mask, unsigned metaRank = 0,
                                         unsigned metaSize = 1)
      : thread_group(heddle::Lanes, mask), metaRank_(metaRank), metaSize_(metaSize) {}

private:
  HEDDLE_MEMBER unsigned laneOf(unsigned rank) const {
    return mask() == 0xffffffffu ? rank : __fns(mask(), 0, rank + 1);
  }
  template <class T> HEDDLE_MEMBER T move(T value, unsigned lane) const {
    const unsigned lanes = mask();
    return heddle::byWords(value,
                           [=](unsigned word) { return __shfl_sync(lanes, word, lane, 32); });
  }
  // Bits of lanes as bits of ranks.
  HEDDLE_MEMBER unsigned packed(unsigned lanes) const {
    if (mask() == 0xffffffffu)
      return lanes;
    unsigned result = 0, rank = 0;
    for (unsigned rest = mask(); rest != 0; rest &= rest - 1, ++rank)
      result |= (lanes >> (__ffs(rest) - 1) & 1) << rank;
    return result;
  }
  unsigned short metaRank_, metaSize_;
};

HEDDLE_GROUP coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned Size, class Parent = void> class thread_block_tile;

namespace heddle {

// Up to a warp: lanes that follow each other, so that shuffles have a width.
template <unsigned Size> class WarpTile : public thread_group {
public:
  HEDDLE_MEMBER WarpTile(unsigned metaRank, unsigned metaSize)
      : thread_group(Lanes, lanes()), metaRank_(metaRank), metaSize_(metaSize) {}
  HEDDLE_GROUP unsigned thread_rank() { return lane() & (Size - 1); }
  HEDDLE_GROUP void sync() { __syncwarp(lanes()); }
  template <class T> HEDDLE_MEMBER typename Plain<T>::type shfl(T&& value, int rank) const {
    return byWords<typename Plain<T>::type>(
        value, [=](unsigned word) { return __shfl_sync(lanes(), word, rank, Size); });
  }
  template <class T> HEDDLE_MEMBER typename Plain<T>::type shfl_up(T&& value, unsigned by) const {
    return byWords<typename Plain<T>::type>(
        value, [=](unsigned word) { return __shfl_up_sync(lanes(), word, by, Size); });
  }
  template <class T> HEDDLE_MEMBER typename Plain<T>::type shfl_down(T&& value, unsigned by) const {
    return byWords<typename Plain<T>::type>(
        value, [=](unsigned word) { return __shfl_down_sync(lanes(), word, by, Size); });
  }
  template <class T> HEDDLE_MEMBER typename Plain<T>::type shfl_xor(T&& value, unsigned by) const {
    return byWords<typename Plain<T>::type>(
        value, [=](unsigned word) { return __shfl_xor_sync(lanes(), word, by, Size); });
  }
  HEDDLE_MEMBER int any(int predicate) const { return __ballot_sync(lanes(), predicate) != 0; }
  HEDDLE_MEMBER int all(int predicate) const {
    return __ballot_sync(lanes(), predicate) == lanes();
  }
  HEDDLE_MEMBER unsigned ballot(int predicate) const {
    return packed(__ballot_sync(lanes(), predicate));
  }
  template <class T> HEDDLE_MEMBER unsigned match_any(T value) const {
    return packed(__match_any_sync(lanes(), value));
  }
  template <class T> HEDDLE_MEMBER unsigned match_all(T value, int& isSame) const {
    return packed(__match_all_sync(lanes(), value, &isSame));
  }
  HEDDLE_MEMBER unsigned meta_group_rank() const { return metaRank_; }
  HEDDLE_MEMBER unsigned meta_group_size() const { return metaSize_; }
  HEDDLE_MEMBER unsigned heddle_mask() const { return lanes(); }

private:
  HEDDLE_GROUP unsigned first() { return lane() & ~(Size - 1); }
  HEDDLE_GROUP unsigned lanes() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << first();
  }
  HEDDLE_GROUP unsigned packed(unsigned bits) { return (bits & lanes()) >> first(); }
  unsigned short metaRank_, metaSize_;
};

// Several warps of a block. What they tell each other goes through shared memory.
template <unsigned Size> class BlockTile {
public:
  HEDDLE_MEMBER BlockTile(unsigned metaRank, unsigned metaSize)
      : metaRank_(metaRank), metaSize_(metaSize) {}
  HEDDLE_GROUP unsigned thread_rank() { return blockRank() & (Size - 1); }
  HEDDLE_GROUP void sync() { syncWarps(blockRank() / Size, Size); }
  template <class T> HEDDLE_MEMBER typename Plain<T>::type shfl(T&& value, unsigned rank) const {
    typedef typename Plain<T>::type Value;
    Value* slots = heddle_slots<Value>();
    if (thread_rank() == rank)
      slots[0] = value;
    sync();
    const Value result = slots[0];
    sync();
    return result;
  }
  HEDDLE_MEMBER int any(int predicate) const { return countOf(predicate) != 0; }
  HEDDLE_MEMBER int all(int predicate) const { return countOf(predicate) == Size; }
  HEDDLE_MEMBER unsigned meta_group_rank() const { return metaRank_; }
  HEDDLE_MEMBER unsigned meta_group_size() const { return metaSize_; }

  // One place for each warp of the tile.
  template <class T> HEDDLE_GROUP T* heddle_slots() {
    static_assert(sizeof(T) <= 32, "a group's collectives take up to 32 bytes");
    __shared__ __attribute__((aligned(16))) unsigned char slots[32][sizeof(T)];
    return (T*)slots[blockRank() / Size * (Size / 32)];
  }

private:
  HEDDLE_GROUP unsigned countOf(int predicate) {
    unsigned* slots = heddle_slots<unsigned>();
    const unsigned mine = __popc(__ballot_sync(0xffffffffu, predicate));
    if (lane() == 0)
      slots[thread_rank() / 32] = mine;
    sync();
    unsigned total = 0;
#pragma unroll 1
    for (unsigned warp = 0; warp < Size / 32; ++warp)
      total += slots[warp];
    sync();
    return total;
  }
  unsigned metaRank_, metaSize_;
};

template <bool InWarp, unsigned Size> struct TileOf {
  typedef WarpTile<Size> type;
};
template <unsigned Size> struct TileOf<false, Size> {
  typedef BlockTile<Size> type;
};
template <unsigned Size> using Tile = typename TileOf<(Size <= 32), Size>::type;

} // namespace heddle

template <unsigned Size> class thread_block_tile<Size, void> : public heddle::Tile<Size> {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0 && Size <= 1024,
                "a tile's size is a power of 2 up to 1024");

public:
  typedef heddle_arrival arrival_token;
  HEDDLE_MEMBER thread_block_tile(unsigned metaRank, unsigned metaSize)
      : heddle::Tile<Size>(metaRank, metaSize) {}
  static constexpr __device__ unsigned num_threads() { return Size; }
  static constexpr __device__ unsigned size() { return Size; }
  HEDDLE_MEMBER arrival_token barrier_arrive() const { return {}; }
  HEDDLE_MEMBER void barrier_wait(arrival_token&&) const { this->sync(); }
};

template <unsigned Size, class Parent> class thread_block_tile : public thread_block_tile<Size> {
public:
  HEDDLE_MEMBER thread_block_tile(unsigned metaRank, unsigned metaSize)
      : thread_block_tile<Size>(metaRank, metaSize) {}
};

} // namespace __v1
} // namespace cooperative_groups

#endif
