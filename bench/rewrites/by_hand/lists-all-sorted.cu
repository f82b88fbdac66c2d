// SPDX-License-Identifier: Apache-2.0
// Checks for every adjacency list whether all its entries are in increasing order.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

const int LANES = 16;

__global__ void checkSorted(const int* begin, const int* entries, int* sorted, int lists) {
  int l = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  int first = l < lists ? begin[l] : 0;
  int end = l < lists ? begin[l + 1] : 0;
  bool ok = true;
  for (int k = first + 1 + lane; k < end; k += LANES) {
    if (entries[k - 1] >= entries[k]) ok = false;
  }
  unsigned bad = __ballot_sync(~0u, !ok) & (0xffffu << (threadIdx.x & 16));
  if (l < lists && lane == 0) sorted[l] = bad == 0;
}

int main(int argc, char** argv) {
  int lists = argc > 1 ? std::atoi(argv[1]) : 200000;
  std::mt19937 gen(77);
  std::vector<int> begin(lists + 1, 0), entries;
  for (int l = 0; l < lists; ++l) {
    int n = gen() % 100;
    int value = gen() % 50;
    for (int k = 0; k < n; ++k) {
      entries.push_back(value);
      value += 1 + gen() % 9;
    }
    begin[l + 1] = static_cast<int>(entries.size());
    if (n > 2 && gen() % 4 == 0) {
      int a = begin[l] + gen() % n;
      int b = begin[l] + gen() % n;
      std::swap(entries[a], entries[b]);
    }
  }
  int *dBegin, *dEntries, *dSorted;
  cudaMalloc(&dBegin, begin.size() * sizeof(int));
  cudaMalloc(&dEntries, entries.size() * sizeof(int));
  cudaMalloc(&dSorted, lists * sizeof(int));
  cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dEntries, entries.data(), entries.size() * sizeof(int), cudaMemcpyHostToDevice);
  checkSorted<<<(lists * LANES + 255) / 256, 256>>>(dBegin, dEntries, dSorted, lists);
  std::vector<int> sorted(lists);
  cudaMemcpy(sorted.data(), dSorted, lists * sizeof(int), cudaMemcpyDeviceToHost);
  int good = 0;
  unsigned check = 0;
  for (int v : sorted) {
    good += v;
    check = check * 31u + v;
  }
  std::printf("sorted %d of %d, check %u\n", good, lists, check);
  cudaFree(dBegin);
  cudaFree(dEntries);
  cudaFree(dSorted);
  return 0;
}
