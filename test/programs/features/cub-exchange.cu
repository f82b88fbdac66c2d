// SPDX-License-Identifier: Apache-2.0
// CUB's transposing loads, stores and sorts with eight items of each thread: their padding is
// computed by PTX's vshr, which others do not need.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int threads = 128, items = 8, tile = threads * items;

__global__ void sortTile(const int* in, int* out) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, threads, items>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
  } shared;
  int mine[items];
  Load(shared.load).Load(in + blockIdx.x * tile, mine);
  __syncthreads();
  Sort(shared.sort).Sort(mine);
  __syncthreads();
  Store(shared.store).Store(out + blockIdx.x * tile, mine);
}

int main() {
  const int tiles = 3;
  std::vector<int> host(tiles * tile), found(host.size());
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = int(i * 2654435761u >> 7) - 1000000;
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, host.size() * sizeof(int));
  cudaMalloc(&out, host.size() * sizeof(int));
  cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  sortTile<<<tiles, threads>>>(in, out);
  const bool fine = cudaMemcpy(found.data(), out, found.size() * sizeof(int),
                               cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < tiles; ++i)
    std::sort(host.begin() + i * tile, host.begin() + (i + 1) * tile);
  const bool same = host == found;
  std::printf("%s\n", fine && same ? "PASS" : "FAIL");
  return fine && same ? 0 : 1;
}
