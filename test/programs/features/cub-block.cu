// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a warp and a block: sums, scans and sorts.
#include "../check.h"
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <algorithm>

constexpr int threads = 128, items = 4, blocks = 3, count = threads * items * blocks;

struct Largest {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void collect(const int* numbers, int* sums, int* largest, int* scanned, int* sorted) {
  using Reduce = cub::BlockReduce<int, threads>;
  using Scan = cub::BlockScan<int, threads>;
  using Sort = cub::BlockRadixSort<int, threads, items>;
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename WarpReduce::TempStorage warps[threads / 32];
  } storage;
  const int first = (blockIdx.x * threads + threadIdx.x) * items;
  int own[items];
  for (int i = 0; i < items; ++i)
    own[i] = numbers[first + i];

  const int sum = Reduce(storage.reduce).Sum(own);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
  __syncthreads();
  const int most = WarpReduce(storage.warps[threadIdx.x / 32]).Reduce(own[0], Largest());
  if (threadIdx.x % 32 == 0)
    largest[(blockIdx.x * threads + threadIdx.x) / 32] = most;
  __syncthreads();
  int before[items];
  Scan(storage.scan).ExclusiveSum(own, before);
  __syncthreads();
  Sort(storage.sort).Sort(own);
  for (int i = 0; i < items; ++i) {
    scanned[first + i] = before[i];
    sorted[first + i] = own[i];
  }
}

int main() {
  std::vector<int> numbers(count);
  for (int i = 0; i < count; ++i)
    numbers[i] = (i * 7919) % 4001 - 2000;
  DeviceArray<int> given(numbers), sums(blocks), largest(blocks * threads / 32), scanned(count),
      sorted(count);
  collect<<<blocks, threads>>>(given, sums, largest, scanned, sorted);
  CHECK_LAUNCH();

  std::vector<int> before(count), ordered = numbers, most(blocks * threads / 32, -10000);
  const int perBlock = threads * items;
  for (int i = 0; i < count; ++i)
    before[i] = i % perBlock == 0 ? 0 : before[i - 1] + numbers[i - 1];
  for (int block = 0; block < blocks; ++block)
    std::sort(ordered.begin() + block * perBlock, ordered.begin() + (block + 1) * perBlock);
  for (int i = 0; i < count; i += items)
    most[i / items / 32] = std::max(most[i / items / 32], numbers[i]);
  expectArray("sum", sums.read(), [&](size_t i) {
    const size_t last = (i + 1) * perBlock - 1;
    return before[last] + numbers[last];
  });
  expectArray("largest", largest.read(), [&](size_t i) { return most[i]; });
  expectArray("scanned", scanned.read(), [&](size_t i) { return before[i]; });
  expectArray("sorted", sorted.read(), [&](size_t i) { return ordered[i]; });
  return finish();
}
