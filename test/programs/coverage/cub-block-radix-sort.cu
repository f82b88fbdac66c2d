// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: BlockRadixSort, cub: BlockLoad and BlockStore
// Tiles sorted within blocks: loaded transposed, sorted with values, stored. Arguments: tiles.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

template <int THREADS, int ITEMS>
__global__ void sortTiles(const unsigned* keysIn, unsigned* keysOut, int* valuesOut) {
  using Load = cub::BlockLoad<unsigned, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<unsigned, THREADS, ITEMS, int>;
  using StoreKeys = cub::BlockStore<unsigned, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
  using StoreValues = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_DIRECT>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename StoreKeys::TempStorage keys;
    typename StoreValues::TempStorage values;
  } storage;
  unsigned keys[ITEMS];
  int values[ITEMS];
  int base = blockIdx.x * THREADS * ITEMS;
  Load(storage.load).Load(keysIn + base, keys);
  for (int k = 0; k < ITEMS; ++k)
    values[k] = threadIdx.x * ITEMS + k;
  __syncthreads();
  Sort(storage.sort).Sort(keys, values);
  __syncthreads();
  StoreKeys(storage.keys).Store(keysOut + base, keys);
  __syncthreads();
  StoreValues(storage.values).Store(valuesOut + base, values);
}

int main(int argc, char** argv) {
  constexpr int THREADS = 64, ITEMS = 4, TILE = THREADS * ITEMS;
  int tiles = argc > 1 ? atoi(argv[1]) : 4, n = tiles * TILE;
  std::vector<unsigned> keys(n), sorted(n);
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    keys[i] = (unsigned)i * 2654435761u >> (i % 3 ? 4 : 20);
  unsigned *din, *dout;
  int* dvalues;
  if (cudaMalloc(&din, n * 4) || cudaMalloc(&dout, n * 4) || cudaMalloc(&dvalues, n * 4)) {
    puts("FAIL");
    return 1;
  }
  cudaMemcpy(din, keys.data(), n * 4, cudaMemcpyHostToDevice);
  sortTiles<THREADS, ITEMS><<<tiles, THREADS>>>(din, dout, dvalues);
  cudaMemcpy(sorted.data(), dout, n * 4, cudaMemcpyDeviceToHost);
  cudaError_t status = cudaMemcpy(values.data(), dvalues, n * 4, cudaMemcpyDeviceToHost);
  int bad = status != cudaSuccess;
  for (int t = 0; t < tiles; ++t) {
    std::vector<int> order(TILE);
    for (int i = 0; i < TILE; ++i)
      order[i] = i;
    const unsigned* k = &keys[t * TILE];
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return k[a] < k[b]; });
    for (int i = 0; i < TILE; ++i)
      bad += values[t * TILE + i] != order[i] || sorted[t * TILE + i] != k[order[i]];
  }
  cudaFree(din), cudaFree(dout), cudaFree(dvalues);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(status), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
