// SPDX-License-Identifier: Apache-2.0
// Smallest and largest key of every bucket of a partitioned column.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Range {
  int lo, hi;
};

__global__ void bucketRange(const unsigned* __restrict__ begin, const int* __restrict__ keys,
                            Range* __restrict__ ranges, unsigned buckets) {
  unsigned b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= buckets) return;
  int lo = INT_MAX, hi = INT_MIN;
  for (unsigned k = begin[b]; k < begin[b + 1]; ++k) {
    int key = keys[k];
    lo = min(lo, key);
    hi = max(hi, key);
  }
  ranges[b].lo = lo;
  ranges[b].hi = hi;
}

int main(int argc, char** argv) {
  unsigned buckets = argc > 1 ? std::atoi(argv[1]) : 200000u;
  unsigned s = 88172645u;
  auto next = [&s] {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
  };
  std::vector<unsigned> begin(buckets + 1, 0);
  for (unsigned b = 0; b < buckets; ++b) begin[b + 1] = begin[b] + 16 + next() % 65;
  std::vector<int> keys(begin[buckets]);
  for (int& k : keys) k = static_cast<int>(next() % 2000000) - 1000000;

  unsigned* dBegin;
  int* dKeys;
  Range* dRanges;
  cudaMalloc(&dBegin, begin.size() * sizeof(unsigned));
  cudaMalloc(&dKeys, keys.size() * sizeof(int));
  cudaMalloc(&dRanges, buckets * sizeof(Range));
  cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(dKeys, keys.data(), keys.size() * sizeof(int), cudaMemcpyHostToDevice);
  bucketRange<<<(buckets + 127) / 128, 128>>>(dBegin, dKeys, dRanges, buckets);
  std::vector<Range> ranges(buckets);
  cudaMemcpy(ranges.data(), dRanges, buckets * sizeof(Range), cudaMemcpyDeviceToHost);
  long long los = 0, his = 0;
  for (const Range& r : ranges) {
    los += r.lo;
    his += r.hi;
  }
  std::printf("sum of minima %lld, sum of maxima %lld\n", los, his);
  cudaFree(dBegin);
  cudaFree(dKeys);
  cudaFree(dRanges);
  return 0;
}
