// SPDX-License-Identifier: Apache-2.0
//
// A stable partition of the indices 0 to n - 1 by a decision of 2 to 8 ways.
//
//   heddle::partition<2> parts;
//   cudaMalloc(&workspace, heddle::partition_bytes<2>(n));
//   heddle::make_partition(stream, n, Decide{mask}, workspace, parts);
//
// Three kernels:
//   1. classify: decides once for every index and keeps the answers as ballots, 32 to a word: one
//      plane of bits for 2 ways, two for 4, three for 8. Counts each way in each tile.
//   2. scan: where the first index of each way of each tile goes.
//   3. scatter: a tile puts its indices in order in shared memory and writes them way by way.
// Beside what the decision reads, an index costs 4 bytes to write, and 1/4 to 3/4 byte for the
// planes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle {

/// The most ways a decision may have.
inline constexpr int max_ways = 8;

/// The most indices one call takes: 32-bit positions then never wrap in a grid-stride loop.
inline constexpr std::size_t max_indices = (std::size_t{1} << 32) - (std::size_t{1} << 24);

/// The indices 0 to n - 1: those of way 0 first, then those of way 1, and so on; within a way in
/// rising order. Way k is indices[bounds[k]] to indices[bounds[k + 1] - 1].
/// Both arrays are in device memory, in the workspace that make_partition was given, and live as
/// long as that. A partition may be used often, as long as the decisions stay what they were.
template <int Ways> struct partition {
  std::uint32_t n = 0;
  const std::uint32_t* indices = nullptr; ///< n of them
  const std::uint32_t* bounds = nullptr;  ///< Ways + 1; bounds[Ways] is n
};

namespace detail::partitioning {

using std::uint32_t;
using std::uint64_t;

inline constexpr int tile_threads = 256; // each owns one word of every plane
inline constexpr int tile_size = 32 * tile_threads;
inline constexpr int scan_threads = 1024;
inline constexpr int scan_items = 8;
inline constexpr uint32_t all_lanes = 0xffffffffu;

template <int Ways> constexpr int planes_of() {
  static_assert(2 <= Ways && Ways <= max_ways, "heddle: a decision has 2 to 8 ways");
  return Ways <= 2 ? 1 : Ways <= 4 ? 2 : 3;
}

/// The parts of a workspace.
template <int Ways> struct layout {
  layout(uint32_t count, void* workspace)
      : n(count), tiles(count / tile_size + (count % tile_size != 0)) {
    const auto take = [&](std::size_t size) {
      const auto place = reinterpret_cast<std::uintptr_t>(workspace) + bytes;
      bytes += (size * sizeof(uint32_t) + 255) / 256 * 256;
      return reinterpret_cast<uint32_t*>(place);
    };
    indices = take(n);
    planes = take(std::size_t{planes_of<Ways>()} * tiles * tile_threads);
    places = take(std::size_t{Ways} * tiles);
    bounds = take(Ways + 1);
  }
  uint32_t n, tiles;
  uint32_t* indices;
  uint32_t* planes; ///< plane by plane, a word for 32 indices
  uint32_t* places; ///< way by way, tile by tile: how many there are, then where the first one goes
  uint32_t* bounds;
  std::size_t bytes = 0;
};

/// How many indices each way has: four counts of 16 bits to a number, so that four are added at
/// once. A tile has 8192 indices: no count outgrows its field.
template <int Ways> struct way_counts {
  static constexpr int groups = (Ways + 3) / 4;
  uint64_t packed[groups] = {};

  __device__ void add(int way, uint32_t count) {
    packed[way / 4] += uint64_t{count} << (way % 4 * 16);
  }
  __device__ uint32_t operator[](int way) const {
    return static_cast<uint32_t>(packed[way / 4] >> (way % 4 * 16)) & 0xffffu;
  }
};

/// The sum of the values of all threads before this one, and of all threads. For whole blocks.
template <int Threads, class Number> __device__ Number exclusive_sum(Number value, Number& total) {
  __shared__ Number sums[Threads / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Number sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const Number below = __shfl_up_sync(all_lanes, sum, distance);
    sum += lane >= distance ? below : 0;
  }
  if (lane == 31)
    sums[warp] = sum;
  __syncthreads();
  Number before = 0;
  total = 0;
  for (int other = 0; other < Threads / 32; ++other) {
    before += other < warp ? sums[other] : 0;
    total += sums[other];
  }
  __syncthreads(); // the sums are written again by the next call
  return before + sum - value;
}

template <int Ways>
__device__ way_counts<Ways> exclusive_sums(const way_counts<Ways>& mine, way_counts<Ways>& total) {
  way_counts<Ways> before;
  for (int group = 0; group < way_counts<Ways>::groups; ++group)
    before.packed[group] = exclusive_sum<tile_threads>(mine.packed[group], total.packed[group]);
  return before;
}

/// The answers for 32 indices, one from each plane.
template <int Ways> struct answers {
  static constexpr int planes = planes_of<Ways>();
  uint32_t bits[planes] = {};

  /// The indices that go this way.
  __device__ uint32_t mask(int way) const {
    uint32_t result = all_lanes;
    for (int plane = 0; plane < planes; ++plane)
      result &= way >> plane & 1 ? bits[plane] : ~bits[plane];
    return result;
  }
};

/// Those of the 32 indices of this thread's word that are below n.
inline __device__ uint32_t existing(uint32_t n) {
  const uint32_t first = 32 * (blockIdx.x * tile_threads + threadIdx.x);
  const uint32_t left = n > first ? n - first : 0;
  return left >= 32 ? all_lanes : (1u << left) - 1;
}

template <int Ways>
__device__ way_counts<Ways> count_word(const answers<Ways>& word, uint32_t exist) {
  way_counts<Ways> counts;
#pragma unroll
  for (int way = 0; way < Ways; ++way)
    counts.add(way, __popc(word.mask(way) & exist));
  return counts;
}

/// What a decision says of an index, as a number.
template <class Decide> __device__ uint32_t way_of(Decide& decide, uint32_t index) {
  static_assert(std::is_integral_v<decltype(decide(index))>,
                "heddle: a decision returns the number of a way, an integer or bool");
  return static_cast<uint32_t>(decide(index));
}

/// The ballots of a warp's 32 x 32 indices from `first` on, of which `left` exist: those of row k
/// for lane k. Rows are asked in batches with no vote in between, so that their loads overlap; All,
/// that nothing is left out, saves the branches that would keep them apart.
template <int Ways, bool All, class Decide>
__device__ answers<Ways> ask(Decide& decide, uint32_t first, uint32_t left) {
  constexpr int batch = 8;
  const int lane = threadIdx.x % 32;
  answers<Ways> mine;
#pragma unroll 1
  for (int begin = 0; begin < 32; begin += batch) {
    uint32_t ways[batch];
#pragma unroll
    for (int row = 0; row < batch; ++row) {
      const uint32_t offset = (begin + row) * 32 + lane;
      ways[row] = All || offset < left ? way_of(decide, first + offset) : 0;
    }
#pragma unroll
    for (int row = 0; row < batch; ++row)
#pragma unroll
      for (int plane = 0; plane < answers<Ways>::planes; ++plane) {
        const uint32_t ballot = __ballot_sync(all_lanes, ways[row] >> plane & 1);
        mine.bits[plane] = lane == begin + row ? ballot : mine.bits[plane];
      }
  }
  return mine;
}

// Step 1
template <int Ways, class Decide>
__global__ __launch_bounds__(tile_threads) void classify(layout<Ways> work, Decide decide) {
  const uint32_t first = blockIdx.x * tile_size + threadIdx.x / 32 * 1024;
  const uint32_t left = work.n > first ? work.n - first : 0;
  const answers<Ways> mine =
      left >= 1024 ? ask<Ways, true>(decide, first, left) : ask<Ways, false>(decide, first, left);
  const std::size_t words = std::size_t{work.tiles} * tile_threads;
  for (int plane = 0; plane < answers<Ways>::planes; ++plane)
    work.planes[plane * words + blockIdx.x * tile_threads + threadIdx.x] = mine.bits[plane];
  way_counts<Ways> total;
  exclusive_sums(count_word<Ways>(mine, existing(work.n)), total);
  if (threadIdx.x == 0)
#pragma unroll
    for (int way = 0; way < Ways; ++way)
      work.places[way * work.tiles + blockIdx.x] = total[way];
}

// Step 2: one block. Way by way and tile by tile is the order of the result, so that the sum of all
// counts before is the place.
template <int Ways> __global__ __launch_bounds__(scan_threads) void scan(layout<Ways> work) {
  const uint32_t size = Ways * work.tiles;
  uint32_t sum = 0;
  for (uint32_t begin = 0; begin < size; begin += scan_threads * scan_items) {
    const uint32_t first = begin + threadIdx.x * scan_items;
    uint32_t counts[scan_items], mine = 0, total;
    for (int i = 0; i < scan_items; ++i) // some place is loaded always: no branch keeps loads apart
      counts[i] = work.places[min(first + i, size - 1)];
    for (int i = 0; i < scan_items; ++i)
      mine += counts[i] = first + i < size ? counts[i] : 0;
    uint32_t place = sum + exclusive_sum<scan_threads>(mine, total);
    for (int i = 0; i < scan_items; place += counts[i++])
      if (first + i < size)
        work.places[first + i] = place;
    sum += total;
  }
  __syncthreads(); // places of other threads are read
  if (threadIdx.x <= Ways)
    work.bounds[threadIdx.x] = threadIdx.x < Ways ? work.places[threadIdx.x * work.tiles] : work.n;
}

/// Puts the numbers of a warp's 32 x 32 indices in the tile where `starts` says that a word's first
/// index of each way goes.
///
///   2 ways, word 0: way of lanes 0 1 2 3 ... = 0 1 1 0 ...; starts[0][0] = 0, starts[1][0] = 4100
///   lane 0 -> 0, lane 1 -> 4100, lane 2 -> 4101, lane 3 -> 1: its rank is the number of lower
///   lanes that go the same way
template <int Ways>
__device__ void place_words(const answers<Ways>& mine, uint32_t exist,
                            const std::uint16_t (&starts)[Ways][tile_threads],
                            std::uint16_t* ordered) {
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 32;
#pragma unroll 4
  for (int row = 0; row < 32; ++row) {
    answers<Ways> word;
    int way = 0;
    for (int plane = 0; plane < answers<Ways>::planes; ++plane) {
      word.bits[plane] = __shfl_sync(all_lanes, mine.bits[plane], row);
      way |= (word.bits[plane] >> lane & 1) << plane;
    }
    const uint32_t same = word.mask(way) & __shfl_sync(all_lanes, exist, row);
    if (same >> lane & 1)
      ordered[starts[way][first + row] + __popc(same & ((1u << lane) - 1))] =
          static_cast<std::uint16_t>((first + row) * 32 + lane);
  }
}

// Step 3
template <int Ways> __global__ __launch_bounds__(tile_threads) void scatter(layout<Ways> work) {
  __shared__ std::uint16_t ordered[tile_size], starts[Ways][tile_threads];
  __shared__ uint32_t places[Ways];
  const std::size_t words = std::size_t{work.tiles} * tile_threads;
  answers<Ways> mine;
  for (int plane = 0; plane < answers<Ways>::planes; ++plane)
    mine.bits[plane] = work.planes[plane * words + blockIdx.x * tile_threads + threadIdx.x];
  if (threadIdx.x < Ways)
    places[threadIdx.x] = work.places[threadIdx.x * work.tiles + blockIdx.x];
  const uint32_t exist = existing(work.n);
  way_counts<Ways> total;
  const way_counts<Ways> before = exclusive_sums(count_word<Ways>(mine, exist), total);
  uint32_t start = 0;
#pragma unroll
  for (int way = 0; way < Ways; start += total[way++])
    starts[way][threadIdx.x] = static_cast<std::uint16_t>(start + before[way]);
  __syncwarp(); // a warp reads only its own
  place_words<Ways>(mine, exist, starts, ordered);
  __syncthreads();
  start = 0;
#pragma unroll
  for (int way = 0; way < Ways; start += total[way++]) {
    uint32_t* out = work.indices + places[way];
    for (uint32_t i = threadIdx.x; i < total[way]; i += tile_threads)
      out[i] = blockIdx.x * tile_size + ordered[start + i];
  }
}

} // namespace detail::partitioning

/// Bytes of device memory, aligned to 256, that a partition of n indices needs; n is at most
/// max_indices.
template <int Ways> std::size_t partition_bytes(std::size_t n) {
  return detail::partitioning::layout<Ways>(static_cast<std::uint32_t>(n), nullptr).bytes;
}

/// Partitions the indices 0 to n - 1 by `decide(i)`, the number of a way, 0 to Ways - 1; i is a
/// std::uint32_t.
///
/// Needs a workspace of partition_bytes<Ways>(n) in device memory, that stays as long as the result
/// is used, and decisions below Ways.
/// Guarantees that `decide` is called once for every index. `result` may be given to work that
/// follows in the same stream at once.
/// Returns cudaErrorInvalidValue for n > max_indices or no workspace, or what a launch returned.
template <int Ways, class Decide>
cudaError_t make_partition(cudaStream_t stream, std::size_t n, Decide decide, void* workspace,
                           partition<Ways>& result) {
  namespace parts = detail::partitioning;
  if (n > max_indices || workspace == nullptr)
    return cudaErrorInvalidValue;
  const parts::layout<Ways> work(static_cast<std::uint32_t>(n), workspace);
  result = {work.n, work.indices, work.bounds};
  if (n == 0)
    return cudaMemsetAsync(work.bounds, 0, (Ways + 1) * sizeof(std::uint32_t), stream);
  parts::classify<Ways><<<work.tiles, parts::tile_threads, 0, stream>>>(work, decide);
  parts::scan<Ways><<<1, parts::scan_threads, 0, stream>>>(work);
  parts::scatter<Ways><<<work.tiles, parts::tile_threads, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle
