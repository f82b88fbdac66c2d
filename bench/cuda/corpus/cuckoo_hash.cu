// SPDX-License-Identifier: Apache-2.0
// A cuckoo hash table: inserts move what they find to its other place; then lookups.
#include "common.h"

__host__ __device__ unsigned place(unsigned key, int which, unsigned mask) {
  key = (key ^ (which ? 0x9e3779b9u : 0x85ebca6bu)) * 0xcc9e2d51u;
  return (key ^ key >> 15) & mask;
}

__global__ void cuckooInsert(const unsigned* keys, int n, unsigned* table, unsigned mask,
                             int* failed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = keys[i], at = place(key, 0, mask);
  for (int turn = 0; turn < 64; ++turn) {
    key = atomicExch(&table[at], key);
    if (key == 0)
      return;
    unsigned first = place(key, 0, mask);
    at = at == first ? place(key, 1, mask) : first;
  }
  atomicAdd(failed, 1);
}

__global__ void cuckooLookup(const unsigned* keys, int n, const unsigned* table, unsigned mask,
                             unsigned char* found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    found[i] =
        table[place(keys[i], 0, mask)] == keys[i] || table[place(keys[i], 1, mask)] == keys[i];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2048);
  unsigned size = 1;
  while (size < (unsigned)n * 3)
    size *= 2;
  std::vector<unsigned> keys(n), queries(2 * n);
  for (int i = 0; i < 2 * n; ++i) {
    queries[i] = i * 2654435761u + 1;
    if (i % 2 == 0)
      keys[i / 2] = queries[i];
  }
  unsigned *k = upload(keys), *q = upload(queries), *table = allocate<unsigned>(size);
  int* failed = allocate<int>(1);
  unsigned char* found = allocate<unsigned char>(2 * n);
  cuckooInsert<<<(n + 255) / 256, 256>>>(k, n, table, size - 1, failed);
  cuckooLookup<<<(2 * n + 255) / 256, 256>>>(q, 2 * n, table, size - 1, found);
  std::vector<unsigned char> got = download(found, 2 * n);
  bool passed = download(failed, 1)[0] == 0;
  for (int i = 0; i < 2 * n; ++i)
    passed &= got[i] == (i % 2 == 0);
  return verdict(passed);
}
