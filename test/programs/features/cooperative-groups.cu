// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: tiles of all sizes, known and not, tiles of tiles, groups of the lanes that
// are there, parts by label, reductions, scans, copies, and grids that meet.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../check.h"

namespace cg = cooperative_groups;

constexpr int threads = 512;

__host__ __device__ int value(int i) {
  return i * 37 % 101 - 50;
}

struct Span { // in which order a group reduces, no GPU promises
  int sum, weight;
};
struct Join {
  __host__ __device__ Span operator()(Span a, Span b) const {
    return {a.sum + b.sum, a.weight + b.weight};
  }
};

template <unsigned Size> __global__ void tiles(int* sums, double* prefixes, int* ranks) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const int i = block.thread_rank();
  sums[i] = cg::reduce(tile, value(i), cg::plus<int>()) * 100 +
            cg::reduce(tile, value(i), cg::greater<int>());
  prefixes[i] = cg::inclusive_scan(tile, 0.5 * value(i)) * 1000 +
                cg::exclusive_scan(tile, (double)value(i), cg::plus<double>());
  ranks[i] = tile.thread_rank() + 1000 * tile.meta_group_rank() + 1000000 * tile.meta_group_size() +
             (tile.any(i == 5) ? 1 << 29 : 0) + (tile.all(i < 256) ? 1 << 30 : 0);
  tile.sync();
}

template <unsigned Size> void checkTiles() {
  DeviceArray<int> sums(threads), ranks(threads);
  DeviceArray<double> prefixes(threads);
  tiles<Size><<<1, threads>>>(sums, prefixes, ranks);
  CHECK_LAUNCH();
  const std::vector<int> sum = sums.read(), rank = ranks.read();
  const std::vector<double> prefix = prefixes.read();
  for (int i = 0; i < threads; ++i) {
    const int first = i / Size * Size;
    int total = 0, most = -1000, before = 0;
    for (unsigned j = 0; j < Size; ++j) {
      total += value(first + j);
      most = std::max(most, value(first + j));
      before += int(first + j) < i ? value(first + j) : 0;
    }
    const std::string what = " of thread " + text(i) + " in tiles of " + text(Size);
    expectEqual<int>("sum" + what, sum[i], total * 100 + most);
    expectEqual<double>("prefix" + what, prefix[i], 0.5 * (before + value(i)) * 1000 + before);
    expectEqual<int>("rank" + what, rank[i],
                     i % Size + 1000 * (i / Size) + 1000000 * (threads / Size) +
                         (i / Size == 5 / Size ? 1 << 29 : 0) +
                         (first + Size <= 256 ? 1 << 30 : 0));
  }
}

__device__ int sumOf(cg::thread_group group, int* scratch, int x) {
  const int rank = group.thread_rank();
  for (int by = group.size() / 2; by > 0; by /= 2) {
    scratch[rank] = x;
    group.sync();
    if (rank < by)
      x += scratch[rank + by];
    group.sync();
  }
  return x;
}

// Sizes that are known when it runs, and groups of groups.
__global__ void parts(int size, int* out) {
  __shared__ int scratch[threads];
  const cg::thread_block block = cg::this_thread_block();
  const int i = block.thread_rank();
  const cg::thread_group dynamic = cg::tiled_partition(block, size);
  const int sum = sumOf(dynamic, scratch + i / size * size, value(i));
  out[i] = dynamic.thread_rank() == 0 ? sum : -1;
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<8> plain = eight;
  out[threads + i] = plain.meta_group_rank() * 100 + plain.meta_group_size() * 10 +
                     eight.shfl(warp.shfl_down(i, 1), 3) * 1000 + eight.ballot(i % 3 == 0) % 7;
}

void checkParts() {
  for (const int size : {1, 2, 4, 8, 16, 32}) {
    DeviceArray<int> out(2 * threads);
    parts<<<1, threads>>>(size, out);
    CHECK_LAUNCH();
    const std::vector<int> got = out.read();
    for (int i = 0; i < threads; ++i) {
      int sum = 0, ballot = 0;
      for (int j = 0; j < size; ++j)
        sum += value(i / size * size + j);
      for (int j = 0; j < 8; ++j)
        ballot |= ((i / 8 * 8 + j) % 3 == 0) << j;
      expectEqual<int>("dynamic sum", got[i], i % size == 0 ? sum : -1);
      expectEqual<int>("tile of a tile", got[threads + i],
                       i % 32 / 8 * 100 + 40 + (i / 8 * 8 + 4) * 1000 + ballot % 7);
    }
  }
}

__global__ void lanes(int* out, Span* spans) {
  const int i = threadIdx.x;
  if (i % 3 != 1) {
    const cg::coalesced_group active = cg::coalesced_threads();
    out[i * 8 + 0] = active.thread_rank() * 100 + active.size();
    out[i * 8 + 1] = active.shfl(i, 2);
    out[i * 8 + 2] = active.shfl_up(i, 1) + active.shfl_down(i, 2) * 100;
    out[i * 8 + 3] = active.ballot(i % 2);
    const Span mine = {i, 2};
    spans[i] = cg::reduce(active, mine, Join());
    const auto labelled = cg::labeled_partition(active, i % 4);
    out[i * 8 + 4] = cg::reduce(labelled, i, cg::plus<int>());
    out[i * 8 + 5] = labelled.meta_group_rank() * 10 + labelled.meta_group_size();
    const auto halves = cg::binary_partition(active, i < 10);
    out[i * 8 + 6] = cg::exclusive_scan(halves, i) + 1000 * halves.num_threads();
    out[i * 8 + 7] = cg::invoke_one_broadcast(active, [&] { return i + 5; }) +
                     1000 * cg::tiled_partition(active, 4).thread_rank();
  }
}

void checkLanes() {
  DeviceArray<int> out(32 * 8);
  DeviceArray<Span> spans(32);
  lanes<<<1, 32>>>(out, spans);
  CHECK_LAUNCH();
  const std::vector<int> got = out.read();
  const std::vector<Span> span = spans.read();
  std::vector<int> who;
  for (int i = 0; i < 32; ++i)
    if (i % 3 != 1)
      who.push_back(i);
  const int size = who.size(), sum = 32 * 31 / 2 - (1 + 31) * 11 / 2;
  unsigned ballot = 0;
  for (int rank = 0; rank < size; ++rank)
    ballot |= unsigned(who[rank] % 2) << rank;
  const int labels[4] = {0, 3, 1, 2}; // the order of the first lanes 0, 2, 3, 5
  for (int rank = 0; rank < size; ++rank) {
    const int i = who[rank], *row = &got[i * 8];
    int same = 0, before = 0, near = 0;
    for (const int j : who) {
      same += j % 4 == i % 4 ? j : 0;
      before += (j < 10) == (i < 10) && j < i ? j : 0;
      near += (j < 10) == (i < 10);
    }
    expectEqual<int>("rank and size", row[0], rank * 100 + size);
    expectEqual<int>("shfl", row[1], who[2]);
    expectEqual<int>("shfl_up and down", row[2],
                     (rank ? who[rank - 1] : i) + (rank + 2 < size ? who[rank + 2] : i) * 100);
    expectEqual<int>("ballot", row[3], int(ballot));
    expectEqual<int>("reduce by a function of one's own", span[i].sum + 1000 * span[i].weight, sum + 2000 * size);
    expectEqual<int>("sum of a label", row[4], same);
    expectEqual<int>("rank of a label", row[5], labels[i % 4] * 10 + 4);
    expectEqual<int>("scan of a half", row[6], before + 1000 * near);
    expectEqual<int>("invoke_one and tiles of 4", row[7], 5 + 1000 * (rank % 4));
  }
}

// Each block copies a piece that is aligned to nothing, changes it, and after all met looks at the
// piece of the block before it.
__global__ void meet(const char* in, char* out, int piece, int rounds) {
  extern __shared__ char buffer[];
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  for (int round = 0; round < rounds; ++round) {
    const int from = (int(grid.block_rank()) + round) % int(grid.num_blocks());
    const char* source = (round ? (const char*)out + (round - 1) % 2 * 100000 : in) + from * piece;
    cg::memcpy_async(block, buffer, source, piece);
    cg::wait(block);
    char* target = out + round % 2 * 100000 + grid.block_rank() * piece;
    for (int i = block.thread_rank(); i < piece; i += block.size())
      target[i] = buffer[i] + 1;
    grid.sync();
  }
}

void checkGrid() {
  const int piece = 78, rounds = 5; // of an odd count, the header of CUDA 13 loses the last byte
  int blocks = 12;
  std::vector<char> in(piece * blocks);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i * 7;
  DeviceArray<char> source(in), out(200000);
  const char* from = source;
  char* to = out;
  int bytes = piece, turns = rounds;
  void* arguments[] = {&from, &to, &bytes, &turns};
  for (int launch = 0; launch < 2; ++launch) {
    CHECK_CUDA(cudaLaunchCooperativeKernel(meet, dim3(blocks), dim3(64), arguments, 128));
    CHECK_LAUNCH();
    std::vector<char> want = in, next(in.size());
    for (int round = 0; round < rounds; ++round) {
      for (int b = 0; b < blocks; ++b)
        for (int i = 0; i < piece; ++i)
          next[b * piece + i] = want[(b + round) % blocks * piece + i] + 1;
      want = next;
    }
    const std::vector<char> got = out.read();
    for (size_t i = 0; i < want.size(); ++i)
      expectEqual<int>("met", got[i], want[i]);
  }
}

int main() {
  checkTiles<1>();
  checkTiles<4>();
  checkTiles<32>();
  checkTiles<128>();
  checkTiles<512>();
  checkParts();
  checkLanes();
  checkGrid();
  return finish();
}
