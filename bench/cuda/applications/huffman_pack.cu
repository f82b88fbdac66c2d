// SPDX-License-Identifier: Apache-2.0
// Huffman coding of bytes on the device: histogram, code lengths in one block, offsets of all
// codes, and bit packing with atomics.
#include <assert.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define SYMBOLS 256
#define PER_THREAD 8
#define PACK_THREADS 128
#define PIECE (PER_THREAD * PACK_THREADS)

#define checked(x)                                                                                 \
  do {                                                                                             \
    cudaError_t st = (x);                                                                          \
    if (st != cudaSuccess) {                                                                       \
      printf("FAIL line %d %s\n", __LINE__, cudaGetErrorString(st));                               \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

__global__ void byte_histogram(const uint8_t* data, int n, uint32_t* hist) {
  __shared__ uint32_t h[SYMBOLS];
  for (int i = threadIdx.x; i < SYMBOLS; i += blockDim.x)
    h[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&h[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < SYMBOLS; i += blockDim.x)
    if (h[i])
      atomicAdd(&hist[i], h[i]);
}

/* 256 threads sort the symbols by frequency; thread 0 then merges with two queues and the canonical
   codes are given out. */
__global__ void build_codes(const uint32_t* hist, uint8_t* length, uint32_t* code, int* maxLength) {
  __shared__ uint32_t freq[2 * SYMBOLS];
  __shared__ short parent[2 * SYMBOLS], symbol[SYMBOLS];
  __shared__ uint8_t depth[2 * SYMBOLS];
  __shared__ int used;
  int t = threadIdx.x;
  uint32_t mine = hist[t];
  int rank = 0;
  for (int s = 0; s < SYMBOLS; s++) {
    uint32_t other = hist[s];
    if (other && (other < mine || (other == mine && s < t)))
      rank++;
  }
  if (t == 0)
    used = 0;
  __syncthreads();
  length[t] = 0;
  if (mine) {
    freq[rank] = mine;
    symbol[rank] = t;
    atomicAdd(&used, 1);
  }
  __syncthreads();
  if (t == 0) {
    int n = used, leaf = 0, inner = n, next = n;
    while (next < 2 * n - 1) {
      uint32_t sum = 0;
      for (int k = 0; k < 2; k++) {
        int pick;
        if (leaf < n && (inner >= next || freq[leaf] <= freq[inner]))
          pick = leaf++;
        else
          pick = inner++;
        parent[pick] = next;
        sum += freq[pick];
      }
      freq[next++] = sum;
    }
    depth[2 * n - 2] = 0;
    for (int i = 2 * n - 3; i >= 0; i--)
      depth[i] = depth[parent[i]] + 1;
    /* canonical: the rarest symbols have the longest codes, so go from the most frequent down */
    uint32_t c = 0;
    int last = depth[n - 1];
    for (int i = n - 1; i >= 0; i--) {
      c <<= depth[i] - last;
      last = depth[i];
      length[symbol[i]] = depth[i];
      code[symbol[i]] = c++;
    }
    *maxLength = last;
  }
}

__global__ void piece_bits(const uint8_t* data, int n, const uint8_t* length, uint32_t* bits) {
  __shared__ uint32_t sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  uint32_t s = 0;
  for (int k = 0; k < PER_THREAD; k++) {
    int i = blockIdx.x * PIECE + k * PACK_THREADS + threadIdx.x;
    if (i < n)
      s += length[data[i]];
  }
  s = __reduce_add_sync(0xffffffffu, s);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&sum, s);
  __syncthreads();
  if (threadIdx.x == 0)
    bits[blockIdx.x] = sum;
}

__global__ void scan_pieces(const uint32_t* bits, uint64_t* start, int pieces) {
  /* simple: one warp, 32 pieces at a time */
  uint64_t carry = 0;
  int lane = threadIdx.x;
  for (int base = 0; base < pieces; base += 32) {
    uint64_t v = base + lane < pieces ? bits[base + lane] : 0, own = v;
    for (int d = 1; d < 32; d <<= 1) {
      uint64_t up = __shfl_up_sync(0xffffffffu, (unsigned long long)v, d);
      if (lane >= d)
        v += up;
    }
    if (base + lane < pieces)
      start[base + lane] = carry + v - own;
    carry += __shfl_sync(0xffffffffu, (unsigned long long)v, 31);
  }
  if (lane == 0)
    start[pieces] = carry;
}

__global__ void pack_bits(const uint8_t* data, int n, const uint8_t* length, const uint32_t* code,
                          const uint64_t* start, uint32_t* out) {
  __shared__ uint32_t at[PACK_THREADS];
  int first = blockIdx.x * PIECE + threadIdx.x * PER_THREAD;
  uint32_t mine = 0;
  for (int k = 0; k < PER_THREAD && first + k < n; k++)
    mine += length[data[first + k]];
  at[threadIdx.x] = mine;
  __syncthreads();
  for (int d = 1; d < PACK_THREADS; d *= 2) {
    uint32_t v = threadIdx.x >= d ? at[threadIdx.x - d] : 0;
    __syncthreads();
    at[threadIdx.x] += v;
    __syncthreads();
  }
  uint64_t pos = start[blockIdx.x] + at[threadIdx.x] - mine;
  for (int k = 0; k < PER_THREAD && first + k < n; k++) {
    int s = data[first + k], len = length[s];
    uint64_t c = (uint64_t)code[s] << (64 - len - (int)(pos & 31));
    atomicOr(&out[pos >> 5], (uint32_t)(c >> 32));
    if ((uint32_t)c)
      atomicOr(&out[(pos >> 5) + 1], (uint32_t)c);
    pos += len;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 32768;
  if (n < 1000)
    n = 1000;
  std::vector<uint8_t> data(n);
  uint64_t s = 0x853c49e6748fea9bull;
  for (int i = 0; i < n; i++) { /* small values are much more frequent */
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t r = (uint32_t)(s >> 33);
    int shift = r % 7;
    data[i] = (uint8_t)((r >> 8 & 255) >> shift);
  }
  int pieces = (n + PIECE - 1) / PIECE;
  uint8_t *d_data, *d_len;
  uint32_t *d_hist, *d_code, *d_bits, *d_out;
  uint64_t* d_start;
  int* d_max;
  size_t words = (size_t)n + 64; /* no code of a short text is longer than 32 bits */
  checked(cudaMalloc(&d_data, n));
  checked(cudaMalloc(&d_len, SYMBOLS));
  checked(cudaMalloc(&d_hist, SYMBOLS * 4));
  checked(cudaMalloc(&d_code, SYMBOLS * 4));
  checked(cudaMalloc(&d_bits, pieces * 4));
  checked(cudaMalloc(&d_start, (pieces + 1) * 8));
  checked(cudaMalloc(&d_out, words * 4));
  checked(cudaMalloc(&d_max, 4));
  checked(cudaMemset(d_hist, 0, SYMBOLS * 4));
  checked(cudaMemset(d_code, 0, SYMBOLS * 4));
  checked(cudaMemset(d_out, 0, words * 4));
  checked(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));

  byte_histogram<<<24, 256>>>(d_data, n, d_hist);
  build_codes<<<1, SYMBOLS>>>(d_hist, d_len, d_code, d_max);
  piece_bits<<<pieces, PACK_THREADS>>>(d_data, n, d_len, d_bits);
  scan_pieces<<<1, 32>>>(d_bits, d_start, pieces);
  pack_bits<<<pieces, PACK_THREADS>>>(d_data, n, d_len, d_code, d_start, d_out);
  checked(cudaDeviceSynchronize());

  std::vector<uint8_t> len(SYMBOLS);
  std::vector<uint32_t> code(SYMBOLS), hist(SYMBOLS);
  std::vector<uint64_t> start(pieces + 1);
  int longest;
  checked(cudaMemcpy(len.data(), d_len, SYMBOLS, cudaMemcpyDeviceToHost));
  checked(cudaMemcpy(code.data(), d_code, SYMBOLS * 4, cudaMemcpyDeviceToHost));
  checked(cudaMemcpy(hist.data(), d_hist, SYMBOLS * 4, cudaMemcpyDeviceToHost));
  checked(cudaMemcpy(start.data(), d_start, (pieces + 1) * 8, cudaMemcpyDeviceToHost));
  checked(cudaMemcpy(&longest, d_max, 4, cudaMemcpyDeviceToHost));
  uint64_t total = start[pieces], weight = 0, best = 0;
  if (total > (uint64_t)n * 32 || longest > 31) {
    printf("FAIL %llu bits\n", (unsigned long long)total);
    return 1;
  }
  std::vector<uint32_t> out(total / 32 + 1);
  checked(cudaMemcpy(out.data(), d_out, out.size() * 4, cudaMemcpyDeviceToHost));

  /* the cost of an optimal code is the sum of all merged weights */
  std::vector<uint64_t> heap;
  std::vector<uint32_t> count(SYMBOLS, 0);
  for (int i = 0; i < n; i++)
    count[data[i]]++;
  for (int i = 0; i < SYMBOLS; i++) {
    weight += (uint64_t)count[i] * len[i];
    if (count[i])
      heap.push_back(count[i]);
  }
  while (heap.size() > 1) {
    uint64_t sum = 0;
    for (int k = 0; k < 2; k++) {
      size_t m = 0;
      for (size_t i = 1; i < heap.size(); i++)
        if (heap[i] < heap[m])
          m = i;
      sum += heap[m];
      heap[m] = heap.back();
      heap.pop_back();
    }
    best += sum;
    heap.push_back(sum);
  }
  int bad = count != hist || weight != best || total != best;
  /* every code must stand at its place; that codes are free of prefixes is checked apart */
  uint64_t pos = 0;
  for (int i = 0; i < n && !bad; i++) {
    int l = len[data[i]];
    uint64_t two = (uint64_t)out[pos >> 5] << 32;
    if ((pos >> 5) + 1 < out.size())
      two |= out[(pos >> 5) + 1];
    bad += (two << (pos & 31)) >> (64 - l) != code[data[i]];
    pos += l;
  }
  for (int a = 0; a < SYMBOLS; a++)
    for (int b = 0; b < SYMBOLS; b++)
      if (a != b && len[a] && len[b] && len[a] <= len[b])
        bad += code[b] >> (len[b] - len[a]) == code[a];
  printf("%d bytes -> %llu bits\n", n, (unsigned long long)total);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
  return bad != 0;
}
