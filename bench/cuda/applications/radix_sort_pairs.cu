// SPDX-License-Identifier: Apache-2.0
// Stable LSD radix sort of 32-bit keys with values: block histograms, a scan, and a scatter.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned int u32;

enum { BITS = 4, RADIX = 1 << BITS, THREADS = 128, PER_THREAD = 8, TILE = THREADS * PER_THREAD };

void die(const char* msg) {
  printf("FAIL %s: %s\n", msg, cudaGetErrorString(cudaGetLastError()));
  exit(1);
}

__global__ void fillInput(u32* keys, u32* values, int n, u32 seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    u32 x = (u32)i * 2654435761u + seed;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    keys[i] = x % 1000003u * (x & 1 ? 4001u : 17u); // with equal keys
    values[i] = (u32)i;
  }
}

// counts[digit * blocks + block]
__global__ void histogram(const u32* keys, int n, int shift, u32* counts) {
  __shared__ u32 bins[RADIX];
  if (threadIdx.x < RADIX)
    bins[threadIdx.x] = 0;
  __syncthreads();
  int base = blockIdx.x * TILE;
  for (int k = 0; k < PER_THREAD; k++) {
    int i = base + k * THREADS + threadIdx.x;
    if (i < n)
      atomicAdd(&bins[(keys[i] >> shift) & (RADIX - 1)], 1u);
  }
  __syncthreads();
  if (threadIdx.x < RADIX)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// a single block goes over all counts
__global__ void scanCounts(u32* counts, int m) {
  __shared__ u32 sums[1024];
  __shared__ u32 carry;
  int t = threadIdx.x;
  if (t == 0)
    carry = 0;
  __syncthreads();
  for (int base = 0; base < m; base += 1024) {
    u32 own = base + t < m ? counts[base + t] : 0;
    sums[t] = own;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      u32 add = t >= d ? sums[t - d] : 0;
      __syncthreads();
      sums[t] += add;
      __syncthreads();
    }
    if (base + t < m)
      counts[base + t] = carry + sums[t] - own;
    __syncthreads();
    if (t == 0)
      carry += sums[1023];
    __syncthreads();
  }
}

// a thread holds PER_THREAD neighbouring elements; ranks come from counters of all threads
__global__ void scatter(const u32* keysIn, const u32* valuesIn, u32* keysOut, u32* valuesOut, int n,
                        int shift, const u32* offsets) {
  __shared__ u32 tileKeys[TILE];
  __shared__ unsigned short counter[RADIX][THREADS + 2];
  __shared__ u32 start[RADIX];
  int t = threadIdx.x;
  int base = blockIdx.x * TILE;
  for (int k = 0; k < PER_THREAD; k++) {
    int i = base + k * THREADS + t;
    tileKeys[k * THREADS + t] = i < n ? keysIn[i] : 0;
  }
  for (int d = 0; d < RADIX; d++)
    counter[d][t] = 0;
  if (t < RADIX)
    start[t] = offsets[t * gridDim.x + blockIdx.x];
  __syncthreads();

  unsigned short rank[PER_THREAD];
  for (int k = 0; k < PER_THREAD; k++) {
    int j = t * PER_THREAD + k;
    if (base + j < n) {
      int d = (tileKeys[j] >> shift) & (RADIX - 1);
      rank[k] = counter[d][t]++;
    }
  }
  __syncthreads();
  // exclusive scans of the 16 rows, 8 threads for each of them
  int row = t / 8, part = t % 8;
  u32 sum = 0;
  for (int i = 0; i < THREADS / 8; i++)
    sum += counter[row][part * (THREADS / 8) + i];
  u32 inclusive = sum;
  for (int d = 1; d < 8; d *= 2) {
    u32 up = __shfl_up_sync(0xffffffffu, inclusive, d, 8);
    if (part >= d)
      inclusive += up;
  }
  u32 running = inclusive - sum;
  for (int i = 0; i < THREADS / 8; i++) {
    int c = counter[row][part * (THREADS / 8) + i];
    counter[row][part * (THREADS / 8) + i] = (unsigned short)running;
    running += c;
  }
  __syncthreads();
  for (int k = 0; k < PER_THREAD; k++) {
    int j = t * PER_THREAD + k;
    if (base + j < n) {
      u32 key = tileKeys[j];
      int d = (key >> shift) & (RADIX - 1);
      u32 to = start[d] + counter[d][t] + rank[k];
      keysOut[to] = key;
      valuesOut[to] = valuesIn[base + j];
    }
  }
}

__global__ void countDisorder(const u32* keys, const u32* values, int n, int* bad) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) {
    if (keys[i] > keys[i + 1] || (keys[i] == keys[i + 1] && values[i] >= values[i + 1]))
      atomicAdd(bad, 1);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000;
  int blocks = (n + TILE - 1) / TILE;
  u32 *keys[2], *values[2], *counts;
  int* bad;
  if (cudaMalloc(&keys[0], n * 4) || cudaMalloc(&keys[1], n * 4) || cudaMalloc(&values[0], n * 4) ||
      cudaMalloc(&values[1], n * 4) || cudaMalloc(&counts, RADIX * blocks * 4) ||
      cudaMalloc(&bad, 4) || cudaMemset(bad, 0, 4))
    die("memory");
  fillInput<<<(n + 255) / 256, 256>>>(keys[0], values[0], n, 5u);
  std::vector<u32> input(n);
  if (cudaMemcpy(input.data(), keys[0], n * 4, cudaMemcpyDeviceToHost))
    die("input");

  int now = 0;
  for (int shift = 0; shift < 32; shift += BITS) {
    histogram<<<blocks, THREADS>>>(keys[now], n, shift, counts);
    scanCounts<<<1, 1024>>>(counts, RADIX * blocks);
    scatter<<<blocks, THREADS>>>(keys[now], values[now], keys[1 - now], values[1 - now], n, shift,
                                 counts);
    now = 1 - now;
  }
  countDisorder<<<(n + 255) / 256, 256>>>(keys[now], values[now], n, bad);
  int disorder;
  std::vector<u32> k(n), v(n);
  if (cudaMemcpy(&disorder, bad, 4, cudaMemcpyDeviceToHost) ||
      cudaMemcpy(k.data(), keys[now], n * 4, cudaMemcpyDeviceToHost) ||
      cudaMemcpy(v.data(), values[now], n * 4, cudaMemcpyDeviceToHost))
    die("result");

  // a permutation of the input in ascending order
  std::vector<bool> seen(n, false);
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    if (v[i] >= (u32)n || seen[v[i]] || input[v[i]] != k[i])
      wrong++;
    else
      seen[v[i]] = true;
    if (i && k[i - 1] > k[i])
      wrong++;
  }
  if (disorder || wrong) {
    printf("FAIL %d disordered, %d wrong\n", disorder, wrong);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
