// SPDX-License-Identifier: Apache-2.0
//
// compact_tiles, compact_tiles_at, compact_range and compact_items in blocks of 32 to 1024 threads and
// 1 to 64 tiles, in grids that are no multiple of the tiles and of up to three dimensions, with no,
// some and all items that have work. Held against a plain kernel: each item is tested once, and
// worked on once after that, by a block that should have it; prints checksums.
#include <heddle/compact.cuh>

#include "loops.cuh"

/// Of 16 items so many have work.
constexpr unsigned shares[] = {0, 1, 7, 16};

__device__ bool hasWork(unsigned item, unsigned share) {
  return Loop::scrambled(item) % 16 < share;
}

/// What an item leaves; adding shows whether it was done twice.
__device__ void leave(unsigned* results, unsigned item) {
  Loop loop(static_cast<int>(item));
  results[item] += loop.random;
}

__global__ void plain(unsigned* results, unsigned n, unsigned share) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned item = block * blockDim.x * blockDim.y * blockDim.z + thread;
  if (item < n) {
    results[item] += 1;
    if (hasWork(item, share))
      leave(results, item);
  }
}

template <int Threads, int Tiles>
__global__ void byNumber(unsigned* results, unsigned n, unsigned share) {
  heddle::compact_tiles<Threads, Tiles>(
      [&](unsigned i) {
        if (i >= n || i / Threads / Tiles != blockIdx.x)
          return false;
        results[i] += 1;
        return hasWork(i, share);
      },
      [&](unsigned i) { leave(results, i); });
}

template <int X, int Y, int Z, int Tiles>
__global__ void byCoordinates(unsigned* results, unsigned n, unsigned share) {
  const auto number = [](uint3 blockIdx, uint3 threadIdx) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * X * Y * Z + threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
  };
  const unsigned own = number(blockIdx, uint3{}) / (X * Y * Z);
  heddle::compact_tiles_at<X, Y, Z, Tiles>(
      [&](uint3 blockIdx, uint3 threadIdx) {
        const unsigned i = number(blockIdx, threadIdx);
        if (i >= n || i / (X * Y * Z) / Tiles != own)
          return false;
        results[i] += 1;
        return hasWork(i, share);
      },
      [&](uint3 blockIdx, uint3 threadIdx) { leave(results, number(blockIdx, threadIdx)); });
}

template <int Threads, int Tiles>
__global__ void inStrides(unsigned* results, unsigned n, unsigned share) {
  heddle::compact_range<Threads, Tiles>(
      n,
      [&](unsigned i) {
        results[i] += 1;
        return hasWork(i, share);
      },
      [&](unsigned i) { leave(results, i); });
}

template <int Threads, int Tiles>
__global__ void byAnyBlock(unsigned* results, unsigned n, unsigned share) {
  const unsigned needed = (n + Threads * Tiles - 1) / (Threads * Tiles);
  heddle::compact_items<Threads, Tiles>(
      n,
      [&](unsigned i) {
        if (blockIdx.x >= needed)
          return false;
        results[i] += 1;
        return hasWork(i, share);
      },
      [&](unsigned i) { leave(results, i); });
}

using Kernel = void (*)(unsigned*, unsigned, unsigned);

/// `items`: of the whole grid; the last ones are beyond n.
void test(const char* name, Kernel kernel, dim3 grid, dim3 block, unsigned items, unsigned n) {
  for (const unsigned share : shares) {
    Results expected(static_cast<int>(items)), results(static_cast<int>(items));
    plain<<<(items + 255) / 256, 256>>>(expected.data(), n, share);
    kernel<<<grid, block>>>(results.data(), n, share);
    REQUIRE(results.values() == expected.values());
    std::printf("%s, %ux%ux%u blocks of %u, %u of 16: %08x\n", name, grid.x, grid.y, grid.z,
                block.x * block.y * block.z, share, checksum(results.values()));
  }
}

template <int Threads, int Tiles> void testNumbers(unsigned blocks) {
  const unsigned items = blocks * Threads, n = items - Threads / 2 - 3;
  std::printf("tiles of %d\n", Tiles);
  test("by number", byNumber<Threads, Tiles>, blocks, Threads, items, n);
  test("in strides", inStrides<Threads, Tiles>, 3, Threads, items, n);
  test("by any of 3", byAnyBlock<Threads, Tiles>, 3, Threads, items, n);
  test("by any", byAnyBlock<Threads, Tiles>, blocks, Threads, items, n);
}

template <int X, int Y, int Z, int Tiles> void testCoordinates(dim3 grid) {
  const unsigned items = grid.x * grid.y * grid.z * X * Y * Z;
  std::printf("tiles of %d\n", Tiles);
  test("by coordinates", byCoordinates<X, Y, Z, Tiles>, grid, dim3(X, Y, Z), items, items - 5);
}

int main() {
  testNumbers<256, 1>(3);
  testNumbers<256, 2>(5);
  testNumbers<256, 4>(4);
  testNumbers<256, 16>(37);
  testNumbers<32, 4>(1);
  testNumbers<96, 8>(11);
  testNumbers<1024, 16>(17);
  testNumbers<128, 64>(65);
  testCoordinates<16, 16, 1, 4>(dim3(3, 5));
  testCoordinates<32, 4, 1, 16>(dim3(7, 6));
  testCoordinates<8, 4, 2, 8>(dim3(3, 2, 4));
  testCoordinates<64, 1, 1, 16>(dim3(1, 1, 19));
  testCoordinates<10, 16, 1, 8>(dim3(1, 9));
  std::printf("PASS\n");
  return 0;
}
