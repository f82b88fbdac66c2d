// SPDX-License-Identifier: Apache-2.0
// Radix sort of 16-bit keys, four bits a pass: counts by block, a scan of them, a stable scatter.
#include "common.h"
#include <algorithm>

const int BLOCK = 128, DIGITS = 16;

__global__ void countDigits(const unsigned* keys, unsigned* counts, int shift, int n) {
  __shared__ unsigned local[DIGITS];
  if (threadIdx.x < DIGITS)
    local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n)
    atomicAdd(&local[keys[i] >> shift & 15], 1u);
  __syncthreads();
  if (threadIdx.x < DIGITS)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void scanCounts(unsigned* counts, int n) {
  __shared__ unsigned sums[256];
  int each = (n + 255) / 256, begin = threadIdx.x * each, end = min(begin + each, n);
  unsigned sum = 0;
  for (int i = begin; i < end; ++i)
    sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    unsigned left = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += left;
    __syncthreads();
  }
  unsigned before = threadIdx.x ? sums[threadIdx.x - 1] : 0;
  for (int i = begin; i < end; ++i) {
    unsigned count = counts[i];
    counts[i] = before;
    before += count;
  }
}

__global__ void scatterKeys(const unsigned* keys, unsigned* out, const unsigned* offsets, int shift,
                            int n) {
  __shared__ unsigned char digits[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int digit = i < n ? keys[i] >> shift & 15 : 255;
  digits[threadIdx.x] = digit;
  __syncthreads();
  if (i >= n)
    return;
  int rank = 0;
  for (int t = 0; t < threadIdx.x; ++t)
    rank += digits[t] == digit;
  out[offsets[digit * gridDim.x + blockIdx.x] + rank] = keys[i];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 3000), blocks = (n + BLOCK - 1) / BLOCK;
  Random random(17);
  std::vector<unsigned> keys(n);
  for (unsigned& key : keys)
    key = random.next() & 0xffff;
  unsigned *a = upload(keys), *b = allocate<unsigned>(n);
  unsigned* counts = allocate<unsigned>(blocks * DIGITS);
  for (int shift = 0; shift < 16; shift += 4) {
    countDigits<<<blocks, BLOCK>>>(a, counts, shift, n);
    scanCounts<<<1, 256>>>(counts, blocks * DIGITS);
    scatterKeys<<<blocks, BLOCK>>>(a, b, counts, shift, n);
    std::swap(a, b);
  }
  std::vector<unsigned> got = download(a, n);
  std::sort(keys.begin(), keys.end());
  return verdict(got == keys);
}
