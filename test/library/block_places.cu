// SPDX-License-Identifier: Apache-2.0
//
// heddle::block_places against atomics of each thread: each item has a place of its own, counters
// end where they would, words beyond the block's own, threads that ask twice or leave early.
#include <heddle/block_places.cuh>

#include <cstdio>
#include <cstring>

constexpr int threads = 900, kinds = 9;

struct Lists {
  int ends[kinds + 1];
  unsigned long long others;
  int items[threads], more[threads];
  int skipped[threads];
};

__host__ __device__ unsigned mixed(unsigned i) {
  i = (i ^ (i >> 15)) * 0x2c1b3c6du;
  return (i ^ (i >> 12)) * 0x297a2d39u;
}

template <class Places> __device__ void sort(Lists* to, int i, int n, Places& places) {
  if (i >= n)
    return;
  const int kind = int(mixed(i) % kinds);
  if (mixed(i + 1) % 3 == 0) {
    to->skipped[i] = i + 1;
    return;
  }
  if (places.asks(to->ends, kind))
    return;
  to->items[places.next(to->ends, kind)] = i;
  if (kind & 1) {
    if (places.asks(&to->ends[kinds], 0))
      return;
    to->more[places.next(&to->ends[kinds], 0)] = i;
  }
}

template <int Words> __global__ void atOnce(Lists* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  heddle::block_places<Words>([&](auto& places) { sort(to, i, n, places); }, to->ends,
                              &to->ends[kinds]);
}

template <int Words, int Tiles> __global__ void tiled(Lists* to, int n) {
  if (!heddle::has_tiles<Tiles>())
    return;
  heddle::block_places_of_tiles<Tiles, Words>(
      [&](uint3 blockIdx, auto& places) {
        sort(to, blockIdx.x * blockDim.x + threadIdx.x, n, places);
      },
      to->ends);
}

/// How often the first kinds come before each kind.
void begin(Lists& lists, int n) {
  lists = {};
  for (int i = 0; i < n; ++i)
    if (mixed(i + 1) % 3 != 0)
      for (int k = int(mixed(i) % kinds) + 1; k < kinds; ++k)
        ++lists.ends[k];
}

int faults(const Lists& lists, const Lists& first, int n) {
  int wrong = 0, found = 0, more = 0;
  for (int i = 0; i < n; ++i) {
    const bool skips = mixed(i + 1) % 3 == 0;
    wrong += lists.skipped[i] != (skips ? i + 1 : 0);
    found += !skips;
    more += !skips && (mixed(i) % kinds) & 1;
  }
  static bool seen[threads];
  std::memset(seen, 0, sizeof(seen));
  for (int k = 0; k < kinds; ++k) {
    wrong += lists.ends[k] != (k + 1 < kinds ? first.ends[k + 1] : found);
    for (int at = first.ends[k]; at < lists.ends[k] && at < threads; ++at) {
      const int i = lists.items[at];
      wrong += i < 0 || i >= n || seen[i] || int(mixed(i) % kinds) != k;
      seen[i] = true;
    }
  }
  return wrong + (lists.ends[kinds] != more);
}

int main() {
  Lists* device = nullptr;
  cudaMalloc(&device, sizeof(Lists));
  int differ = 0, cases = 0;
  using Kernel = void (*)(Lists*, int);
  for (const int n : {0, 5, threads})
    for (const int block : {32, 100, 256})
      for (const Kernel kernel :
           {Kernel(&atOnce<1>), Kernel(&atOnce<64>), Kernel(&tiled<5, 1>), Kernel(&tiled<64, 4>)}) {
        static Lists before, after;
        begin(before, n);
        cudaMemcpy(device, &before, sizeof(Lists), cudaMemcpyHostToDevice);
        kernel<<<(threads + block - 1) / block, block>>>(device, n);
        cudaMemcpy(&after, device, sizeof(Lists), cudaMemcpyDeviceToHost);
        ++cases;
        differ += faults(after, before, n) != 0;
      }
  std::printf("%d cases, %d differ: %s\n", cases, differ, cudaGetErrorString(cudaGetLastError()));
  return 0;
}
