// SPDX-License-Identifier: Apache-2.0
#pragma once

#define CHUNK 256

template <typename Key>
__host__ __device__ inline void exchange(Key& a, Key& b)
{
  Key t = a;
  a = b;
  b = t;
}

// Sorts chunks of 256 keys in shared memory.
template <typename Key>
__global__ void bitonic_chunks(Key* keys)
{
  __shared__ Key s[CHUNK];
  int t = threadIdx.x;
  s[t] = keys[blockIdx.x * CHUNK + t];
  __syncthreads();
  for (int k = 2; k <= CHUNK; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        if ((t & k) == 0) {
          if (s[t] > s[other])
            exchange(s[t], s[other]);
        } else {
          if (s[t] < s[other])
            exchange(s[t], s[other]);
        }
      }
      __syncthreads();
    }
  }
  keys[blockIdx.x * CHUNK + t] = s[t];
}

template <typename Key>
__host__ __device__ void merge_runs(const Key* a, int na, const Key* b, int nb, Key* out)
{
  int i = 0, j = 0, o = 0;
  while (i < na && j < nb) {
    if (b[j] < a[i])
      out[o++] = b[j++];
    else
      out[o++] = a[i++];
  }
  while (i < na)
    out[o++] = a[i++];
  while (j < nb)
    out[o++] = b[j++];
}

// The number of keys of a[0..na) among the first `rank` keys of the merged runs.
template <typename Key>
__device__ int split(const Key* a, int na, const Key* b, int nb, int rank)
{
  int lo = rank > nb ? rank - nb : 0;
  int hi = rank < na ? rank : na;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (b[rank - 1 - mid] < a[mid])
      hi = mid;
    else
      lo = mid + 1;
  }
  return lo;
}

// Each thread merges a piece of `piece` keys out of two runs of `width`.
template <typename Key>
__global__ void merge_pass(const Key* in, Key* out, int n, int width, int piece)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int first = t * piece;
  if (first >= n)
    return;
  int pair = first / (2 * width) * (2 * width);
  int na = width < n - pair ? width : n - pair;
  int nb = n - pair - na < width ? n - pair - na : width;
  const Key *a = in + pair, *b = in + pair + na;
  int begin = first - pair;
  int end = begin + piece < na + nb ? begin + piece : na + nb;
  int a0 = split(a, na, b, nb, begin), a1 = split(a, na, b, nb, end);
  merge_runs(a + a0, a1 - a0, b + (begin - a0), (end - a1) - (begin - a0), out + first);
}
