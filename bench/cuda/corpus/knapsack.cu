// SPDX-License-Identifier: Apache-2.0
// The knapsack problem by dynamic programming: one launch an item, one thread a capacity.
#include "common.h"

__global__ void considerItem(const int* old, int* now, int capacity, int weight, int value) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c > capacity)
    return;
  int best = old[c];
  if (c >= weight)
    best = max(best, old[c - weight] + value);
  now[c] = best;
}

int main(int argc, char** argv) {
  int capacity = argument(argc, argv, 4000), items = 12;
  Random random(163);
  std::vector<int> best(capacity + 1, 0);
  int *a = upload(best), *b = allocate<int>(capacity + 1);
  for (int item = 0; item < items; ++item) {
    int weight = 1 + random.next() % (capacity / 5), value = 1 + random.next() % 1000;
    considerItem<<<(capacity + 256) / 256, 256>>>(a, b, capacity, weight, value);
    std::swap(a, b);
    for (int c = capacity; c >= weight; --c)
      best[c] = std::max(best[c], best[c - weight] + value);
  }
  return verdict(download(a, capacity + 1) == best);
}
