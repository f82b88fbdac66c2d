// SPDX-License-Identifier: Apache-2.0
//
// refill_tiles, refill_tiles_at and refill_items in blocks of 32 to 1024 threads, 1 to 16 tiles,
// 1 to 32 lanes refilled at once and 1 to 4 turns between votes, in grids that are no multiple of
// the tiles and of up to three dimensions, with items that are left out, have no turn, have many,
// or leave by any part. Held against a plain kernel: each item is begun and ended once; prints
// checksums.
#include <heddle/refill.cuh>

#include "loops.cuh"

/// The turns of an item: none, or up to so many.
constexpr unsigned longest[] = {0, 1, 9, 200};

/// What an item does: every 7th is left out, and every 11th returns from its loop.
struct Item {
  unsigned random, turns, done;
  __device__ bool begin(unsigned item, unsigned most) {
    random = Loop::scrambled(item);
    turns = most == 0 ? 0 : random % (most + 1) * (random >> 8 & 1);
    done = 0;
    return item % 7 != 3;
  }
  __device__ void turn() {
    random = random * 1664525u + 1013904223u;
    ++done;
  }
  __device__ bool returns(unsigned item) const { return item % 11 == 5 && done == 2; }
};

__global__ void plain(unsigned* results, unsigned n, unsigned most) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Item item;
  if (i >= n || !item.begin(i, most))
    return;
  results[i] += 1;
  while (item.done < item.turns) {
    item.turn();
    if (item.returns(i))
      return;
  }
  results[i] += item.random + item.done;
}

/// The parts, in the order of their calls.
struct Parts {
  unsigned *results, n, most;
  Item item;
  __device__ heddle::flow setup(unsigned i) {
    if (i >= n || !item.begin(i, most))
      return heddle::flow::skip;
    results[i] += 1;
    return item.turns > 0 ? heddle::flow::proceed : heddle::flow::leave;
  }
  __device__ heddle::flow turn(unsigned i) {
    item.turn();
    if (item.returns(i))
      return heddle::flow::skip;
    return item.done < item.turns ? heddle::flow::proceed : heddle::flow::leave;
  }
  __device__ void finish(unsigned i) const { results[i] += item.random + item.done; }
};

template <int Threads, int Tiles, int Dry, int Turns>
__global__ void byNumber(unsigned* results, unsigned n, unsigned most) {
  Parts parts{results, n, most, {}};
  heddle::refill_tiles<Threads, Tiles, Dry, Turns>(
      [&](unsigned i) {
        return i / Threads / Tiles == blockIdx.x ? parts.setup(i) : heddle::flow::skip;
      },
      [&](unsigned i) { return parts.turn(i); }, [&](unsigned i) { parts.finish(i); });
}

template <int X, int Y, int Z, int Tiles, int Dry, int Turns>
__global__ void byCoordinates(unsigned* results, unsigned n, unsigned most) {
  const auto number = [](uint3 blockIdx, uint3 threadIdx) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * X * Y * Z + threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
  };
  Parts parts{results, n, most, {}};
  heddle::refill_tiles_at<X, Y, Z, Tiles, Dry, Turns>(
      [&](uint3 blockIdx, uint3 threadIdx) { return parts.setup(number(blockIdx, threadIdx)); },
      [&](uint3 blockIdx, uint3 threadIdx) { return parts.turn(number(blockIdx, threadIdx)); },
      [&](uint3 blockIdx, uint3 threadIdx) { parts.finish(number(blockIdx, threadIdx)); });
}

template <int Threads, int Tiles, int Dry, int Turns>
__global__ void inStrides(unsigned* results, unsigned n, unsigned most) {
  Parts parts{results, n, most, {}};
  heddle::refill_items<Threads, Tiles, Dry, Turns>(
      n, [&](unsigned i) { return parts.setup(i); }, [&](unsigned i) { return parts.turn(i); },
      [&](unsigned i) { parts.finish(i); });
}

using Kernel = void (*)(unsigned*, unsigned, unsigned);

/// `items`: of the whole grid; the last ones are beyond n.
void test(const char* name, Kernel kernel, dim3 grid, dim3 block, unsigned items, unsigned n) {
  for (const unsigned most : longest) {
    Results expected(static_cast<int>(items)), results(static_cast<int>(items));
    plain<<<(items + 255) / 256, 256>>>(expected.data(), n, most);
    kernel<<<grid, block>>>(results.data(), n, most);
    REQUIRE(results.values() == expected.values());
    std::printf("%s, %ux%ux%u blocks of %u, up to %u turns: %08x\n", name, grid.x, grid.y, grid.z,
                block.x * block.y * block.z, most, checksum(results.values()));
  }
}

template <int Threads, int Tiles, int Dry, int Turns = 1> void testNumbers(unsigned blocks) {
  const unsigned items = blocks * Threads, n = items - Threads / 2 - 3;
  std::printf("tiles of %d, %d lanes\n", Tiles, Dry);
  test("by number", byNumber<Threads, Tiles, Dry, Turns>, blocks, Threads, items, n);
  test("in strides", inStrides<Threads, Tiles, Dry, Turns>, 3, Threads, items, n);
  test("in one stride", inStrides<Threads, Tiles, Dry, Turns>, blocks, Threads, items, n);
}

template <int X, int Y, int Z, int Tiles, int Dry, int Turns = 1> void testCoordinates(dim3 grid) {
  const unsigned items = grid.x * grid.y * grid.z * X * Y * Z;
  std::printf("tiles of %d, %d lanes\n", Tiles, Dry);
  test("by coordinates", byCoordinates<X, Y, Z, Tiles, Dry, Turns>, grid, dim3(X, Y, Z), items,
       items - 5);
}

int main() {
  testNumbers<256, 1, 8>(3);
  testNumbers<256, 4, 8, 4>(5);
  testNumbers<32, 3, 1>(1);
  testNumbers<96, 8, 16, 3>(11);
  testNumbers<128, 16, 32>(17);
  testNumbers<1024, 2, 8>(3);
  testCoordinates<16, 16, 1, 4, 8>(dim3(3, 5));
  testCoordinates<8, 4, 2, 8, 16, 2>(dim3(3, 2, 4));
  testCoordinates<64, 1, 1, 16, 8>(dim3(1, 1, 19));
  std::printf("PASS\n");
  return 0;
}
