// SPDX-License-Identifier: Apache-2.0
// Binary searches in a sorted table: a chain of loads that wait for each other.
#include "../corpus/common.h"

__global__ void searchTable(const unsigned* table, int count, const unsigned* keys, int* places,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = keys[i];
  int low = 0, high = count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (table[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  places[i] = low;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1000000), count = 200000;
  Random random(17);
  std::vector<unsigned> table(count), keys(n);
  for (int i = 0; i < count; ++i)
    table[i] = 20 * i + random.next() % 20;
  for (unsigned& key : keys)
    key = random.next() % (20 * count);
  unsigned *t = upload(table), *k = upload(keys);
  int* places = allocate<int>(n);
  searchTable<<<(n + 255) / 256, 256>>>(t, count, k, places, n);
  std::vector<int> got = download(places, n);
  bool passed = true;
  for (int i = 0; i < n; i += 97)
    passed &= (got[i] == 0 || table[got[i] - 1] < keys[i]) &&
              (got[i] == count || table[got[i]] >= keys[i]);
  return verdict(passed);
}
