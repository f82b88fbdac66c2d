// SPDX-License-Identifier: Apache-2.0
// Greedy selection of non-overlapping intervals, in order of rank, by one thread of each block.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BOXES 64

struct Interval {
  int lo, hi;
};

__global__ void suppress(const Interval* intervals, unsigned char* keep) {
  __shared__ Interval box[BOXES];
  __shared__ unsigned char alive[BOXES];
  int t = threadIdx.x;
  int at = blockIdx.x * BOXES + t;
  box[t] = intervals[at];
  alive[t] = 1;
  __syncthreads();
  if (t == 0) {
    int coveredTo = 0;
    for (int k = 0; k < BOXES; ++k) {
      if (box[k].lo < coveredTo) {
        alive[k] = 0;
      } else {
        coveredTo = box[k].hi;
      }
    }
  }
  __syncthreads();
  keep[at] = alive[t];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int images = (n + BOXES - 1) / BOXES;
  n = images * BOXES;
  std::vector<Interval> intervals(n);
  std::vector<unsigned char> keep(n);
  unsigned s = 2015;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    int lo = (i % BOXES) * 10 + (s >> 20) % 30;
    intervals[i] = {lo, lo + 5 + static_cast<int>((s >> 10) % 40)};
  }
  Interval* dIntervals;
  unsigned char* dKeep;
  cudaMalloc(&dIntervals, n * sizeof(Interval));
  cudaMalloc(&dKeep, n);
  cudaMemcpy(dIntervals, intervals.data(), n * sizeof(Interval), cudaMemcpyHostToDevice);
  suppress<<<images, BOXES>>>(dIntervals, dKeep);
  cudaMemcpy(keep.data(), dKeep, n, cudaMemcpyDeviceToHost);
  long long kept = 0, where = 0;
  for (int i = 0; i < n; ++i) {
    kept += keep[i];
    where += keep[i] ? i % 1009 : 0;
  }
  std::printf("kept %lld check %lld\n", kept, where);
  cudaFree(dIntervals);
  cudaFree(dKeep);
  return 0;
}
