// SPDX-License-Identifier: Apache-2.0
// A Bloom filter of four hashes in a bit array: inserts with atomicOr, lookups that stop early.
#include "common.h"

__host__ __device__ unsigned bitOf(unsigned key, int k, unsigned bits) {
  unsigned h = key + k * 0x9e3779b9u;
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return (h ^ h >> 16) % bits;
}

__global__ void bloomInsert(const unsigned* keys, int n, unsigned* filter, unsigned bits) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int k = 0; k < 4; ++k) {
      unsigned bit = bitOf(keys[i], k, bits);
      atomicOr(&filter[bit / 32], 1u << bit % 32);
    }
}

__global__ void bloomQuery(int n, const unsigned* filter, unsigned bits, unsigned* hits) {
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int k = 0;
    for (; k < 4; ++k) {
      unsigned bit = bitOf(i, k, bits);
      if ((filter[bit / 32] >> bit % 32 & 1) == 0)
        break;
    }
    mine += k == 4;
  }
  for (int offset = 16; offset > 0; offset /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, offset);
  if (threadIdx.x % 32 == 0)
    atomicAdd(hits, mine);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2000);
  unsigned bits = n * 10 + 7;
  std::vector<unsigned> keys(n), filter(bits / 32 + 1, 0);
  for (int i = 0; i < n; ++i)
    keys[i] = i * 3;
  unsigned *k = upload(keys), *f = upload(filter), *hits = allocate<unsigned>(1);
  int blocks = std::min(264, (n + 127) / 128);
  bloomInsert<<<blocks, 128>>>(k, n, f, bits);
  bloomQuery<<<blocks, 128>>>(4 * n, f, bits, hits);
  for (unsigned key : keys)
    for (int j = 0; j < 4; ++j)
      filter[bitOf(key, j, bits) / 32] |= 1u << bitOf(key, j, bits) % 32;
  unsigned want = 0;
  for (int i = 0; i < 4 * n; ++i) {
    int j = 0;
    while (j < 4 && (filter[bitOf(i, j, bits) / 32] >> bitOf(i, j, bits) % 32 & 1))
      ++j;
    want += j == 4;
  }
  return verdict(download(hits, 1)[0] == want && download(f, filter.size()) == filter);
}
