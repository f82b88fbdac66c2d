// SPDX-License-Identifier: Apache-2.0
//
// Regrouping: the threads of a block swap the states of their loops through shared memory, so that
// those of one way sit in the same warps.
//
//   warp 0   A B B A C B A C                A A A A A A A A
//   warp 1   B A C A B B A A       ==>      B B B B B B B B
//   warp 2   A B A C C B B A                A A B C C C C C    waits until there are 8 of a way
//
// Steps of a turn: 1. each thread counts its place among those of its way; 2. the ways get their
// slots: whole warps first, then what is left over, then the threads that are done; 3. the states
// go to their slots; 4. whole warps run one path each, the rest waits. Threads that are done stay
// behind the others for good, so that warps without live threads only meet the barriers.
//
// An exchange costs a warp about as much as 180 instructions, whatever the paths do. Now and then
// the block counts what it would save, and regroups only where that is more.
//
// A loop of one way regroups for the threads that are done alone: the live ones share warps. A path
// is best some ten iterations of the loop then, so that there is something to save in each turn.
#pragma once

#include "ways.cuh"

#include <climits>
#include <cstring>

namespace heddle {

/// When regrouped_loop regroups. The results are the same.
enum class regroup_when {
  mixed,  ///< while the warps are mixed, or empty, enough for paths of the given length
  always, ///< every turn, until few threads are left
  never   ///< runs the loop as it is
};

namespace detail {

/// What travels between threads, in pieces of 16 bytes: a few wide accesses instead of many.
template <class State> struct regroup_item {
  static constexpr int pieces = (sizeof(State) + 15) / 16;
  uint4 piece[pieces];
};

/// Shared memory of one regrouped loop. Piece p of slot s is pieces[p][s]: neighbours in a warp use
/// neighbouring banks.
template <int BlockSize, int Ways, class State> struct regroup_memory {
  uint4 pieces[regroup_item<State>::pieces][BlockSize];
  int wants[BlockSize];
  /// Threads of each way, then threads that are done; for this turn and the next.
  alignas(16) unsigned counts[2][16];
};

/// Slots below `running` run this turn; those below `live` are not done.
struct regroup_turn {
  unsigned running;
  unsigned live;
};

/// The exchange between the threads of a block. Warps take part as long as one of their threads is
/// not done.
template <int BlockSize, int Ways, class State> class regroup_exchange {
public:
  using memory = regroup_memory<BlockSize, Ways, State>;

  __device__ regroup_exchange(memory& shared, unsigned slot)
      : shared_(shared), slot_(slot), lane_(slot % warp_lanes) {
    for (int bit = 0; bit < bits; ++bit)
      flip_[bit] = (lane_ >> bit & 1) - 1;
    if (slot <= Ways)
      shared.counts[0][slot] = 0;
    __syncthreads();
  }

  /// Gives this thread the state and the way of its slot. All threads of the block call it.
  __device__ __forceinline__ regroup_turn operator()(State& state, int& want) {
    const bool here = slot_ < taking_part_;
    unsigned place = 0;
    if (here)
      place = count_places(want);
    __syncthreads();
    const regroup_turn turn = assign(want, place);
    phase_ ^= 1;
    if (slot_ <= Ways)
      shared_.counts[phase_][slot_] = 0;
    if (here)
      write(place, state, want);
    __syncthreads();
    if (here)
      read(state, want);
    taking_part_ = (turn.live + warp_lanes - 1) & ~(warp_lanes - 1u);
    return turn;
  }

private:
  static constexpr int bits = way_bits(Ways);

  /// Step 1: how many threads of the same way come before this one. Lane w counts way w.
  __device__ __forceinline__ unsigned count_places(int want) {
    const unsigned live = __ballot_sync(all_lanes, want != done);
    unsigned same = live, mine = live; // lanes of the same way; lanes of the way this lane counts
    for (int bit = 0; bit < bits; ++bit) {
      const bool is_set = has_bit<bits>(want, bit);
      const unsigned set = __ballot_sync(all_lanes, is_set);
      same &= is_set ? set : ~set;
      mine &= set ^ flip_[bit];
    }
    unsigned before = 0;
    if (lane_ < Ways)
      before = atomicAdd(&shared_.counts[phase_][lane_], static_cast<unsigned>(__popc(mine)));
    before = __shfl_sync(all_lanes, before, want);
    if (live != all_lanes) {
      unsigned first = 0;
      if (lane_ == 0)
        first = atomicAdd(&shared_.counts[phase_][Ways], static_cast<unsigned>(__popc(~live)));
      first = __shfl_sync(all_lanes, first, 0);
      if (want == done) {
        before = first;
        same = ~live;
      }
    }
    return before + static_cast<unsigned>(__popc(same & ((1u << lane_) - 1)));
  }

  /// Step 2: from the place among those of one way to the slot in the block. Threads in whole warps
  /// are summed in the upper half of a word, those left over in the lower.
  __device__ __forceinline__ regroup_turn assign(int want, unsigned& place) const {
    unsigned sum = 0, before = 0, in_whole = 0;
    for (int way = 0; way < Ways; ++way) {
      const unsigned count = shared_.counts[phase_][way];
      const unsigned whole = count & ~(warp_lanes - 1u);
      before = want == way ? sum : before;
      in_whole = want == way ? whole : in_whole;
      sum += count + whole * 0xffff;
    }
    const unsigned whole = sum >> 16;
    const unsigned live = whole + (sum & 0xffff);
    const unsigned base = place < in_whole ? before >> 16 : whole + (before & 0xffff) - in_whole;
    place += want == done ? live : base;
    // Too few whole warps to keep the others waiting: all run, the last warps with mixed ways.
    return {Ways == 1 || 2 * whole < live ? live : whole, live};
  }

  /// Step 3.
  __device__ __forceinline__ void write(unsigned to, const State& state, int want) {
    regroup_item<State> item{};
    memcpy(&item, &state, sizeof state);
    for (int i = 0; i < item.pieces; ++i)
      shared_.pieces[i][to] = item.piece[i];
    shared_.wants[to] = want;
  }
  __device__ __forceinline__ void read(State& state, int& want) const {
    regroup_item<State> item;
    for (int i = 0; i < item.pieces; ++i)
      item.piece[i] = shared_.pieces[i][slot_];
    memcpy(&state, &item, sizeof state);
    want = shared_.wants[slot_];
  }

  memory& shared_;
  unsigned slot_;
  unsigned lane_;
  unsigned flip_[bits];
  unsigned phase_ = 0;
  unsigned taking_part_ = BlockSize;
};

/// Counts what a turn of the block as it is would run, and what it would run regrouped.
struct regroup_count {
  int live;  ///< threads that are not done
  int paths; ///< that the warps run, one after the other
};

template <int Ways> __device__ regroup_count count_paths(unsigned slot, int want) {
  unsigned ways = 0;
  for (int way = 0; way < Ways; ++way)
    ways += __any_sync(all_lanes, want == way) ? 1 : 0;
  regroup_count count{};
  count.live = __syncthreads_count(want != done);
  count.paths = __syncthreads_count(slot % warp_lanes < ways);
  return count;
}

/// An exchange takes as long as this many instructions of a warp, measured on an H200 where it
/// neither gains nor loses.
constexpr int exchange_instructions = 180;

__device__ inline bool regrouping_pays(const regroup_count& count, int path_instructions) {
  const int warps = (count.live + warp_lanes - 1) / warp_lanes; // once they are regrouped
  return (count.paths - warps) * path_instructions > warps * exchange_instructions;
}

} // namespace detail

/// Runs a loop of `Ways` ways; the threads of a block swap their states so that equal ways share
/// warps.
///
/// `next(state)` begins a turn: it returns the way it takes, 0 to Ways - 1, or `done`. The paths
/// and `after` (ways.cuh) get the state, too. `PathInstructions` says how long a path is about, so
/// that it can be weighed against an exchange.
///
/// Needs: blocks of exactly `BlockSize` threads, all of which call it; a trivially copyable `State`
/// that holds *every* value of the thread that the parts and the code behind the loop use, the
/// thread's own index above all: a part must not use `threadIdx`. No barrier, no `*_sync` operation
/// and no other talk between threads in the parts. Shared memory for one state, rounded up to 16
/// bytes, and one more word a thread.
///
/// Guarantees: each state runs its own turns in order, so its results are the same bits as those of
/// the plain loop. On return every thread holds the final state of one thread of the block; each is
/// held once.
template <int BlockSize, int Ways, class State, regroup_when When = regroup_when::mixed,
          int PathInstructions = 256, class Next, class... Parts>
__device__ __forceinline__ void regrouped_loop(State& state, Next&& next, Parts&&... parts) {
  static_assert(1 <= Ways && Ways <= detail::max_ways, "a regrouped loop has 1 to 8 ways");
  detail::check_parts<Ways, sizeof...(Parts)>();
  static_assert(BlockSize >= 32 && BlockSize <= 1024 && BlockSize % 32 == 0,
                "a block is a whole number of warps, at most 1024 threads");
  static_assert(std::is_trivially_copyable_v<State>,
                "a state is copied word by word: make it trivially copyable");
  using exchange_type = detail::regroup_exchange<BlockSize, Ways, State>;
  using memory = typename exchange_type::memory;
  static_assert(sizeof(memory) <= 48 * 1024,
                "the states of a block must fit into 48 KiB of shared memory: use smaller blocks");
  __shared__ memory shared;
  const unsigned slot = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const detail::loop_parts<std::remove_reference_t<Parts>...> all(parts...);

  // Live threads that are not worth an exchange; of one way, any that are in more than one warp are.
  constexpr int few = Ways == 1 ? 0 : BlockSize / 8;
  // Ways mix alike for long; of a loop with one way, threads are done from turn to turn.
  constexpr int shortest = Ways == 1 ? 1 : 32, longest = Ways == 1 ? 1 : 512;
  exchange_type exchange(shared, slot);
  bool regrouping = When == regroup_when::always;
  int stretch = shortest;
  for (int want = next(state);;) {
    int turns = INT_MAX; // until the block counts again
    if (When == regroup_when::mixed) {
      const detail::regroup_count count = detail::count_paths<Ways>(slot, want);
      const bool enough = Ways == 1 ? count.paths > 1 : count.live > few;
      const bool pays = enough && detail::regrouping_pays(count, PathInstructions);
      stretch = pays == regrouping && stretch < longest ? 2 * stretch : shortest;
      regrouping = pays;
      turns = enough ? stretch : INT_MAX;
    }
    if (regrouping) {
      int live = 0;
      do {
        const detail::regroup_turn turn = exchange(state, want);
        live = static_cast<int>(turn.live);
        if (live > few && slot < turn.running)
          want = detail::take_turn<Ways>(want, next, all, state);
      } while (live > few && --turns != 0);
      if (live > few)
        continue;
      turns = INT_MAX;
    }
    if (want != done) {
      int turn = turns;
      do
        want = detail::take_turn<Ways>(want, next, all, state);
      while (want != done && --turn != 0);
    }
    if (turns == INT_MAX)
      return;
  }
}

} // namespace heddle
