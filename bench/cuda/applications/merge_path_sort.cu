// SPDX-License-Identifier: Apache-2.0
// Merge sort of 64-bit integers: tiles sorted in blocks, then passes divided evenly by merge paths.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace ms {

using Key = long long;

template <int Threads, int Items> struct Config {
  static constexpr int threads = Threads;
  static constexpr int items = Items;
  static constexpr int tile = Threads * Items;
};

// how many of the first `diag` outputs come from a
template <typename It> __host__ __device__ int mergePath(It a, int na, It b, int nb, int diag) {
  int lo = diag > nb ? diag - nb : 0;
  int hi = diag < na ? diag : na;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] <= b[diag - 1 - mid])
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

template <class C> __global__ void sortTiles(Key* data, int n) {
  __shared__ Key buffer[2][C::tile];
  int base = blockIdx.x * C::tile;
  int count = min(C::tile, n - base);
  Key item[C::items];
  // every thread sorts its few items by insertion
#pragma unroll
  for (int i = 0; i < C::items; ++i) {
    int at = threadIdx.x * C::items + i;
    item[i] = at < count ? data[base + at] : 0x7fffffffffffffffLL;
  }
#pragma unroll
  for (int i = 1; i < C::items; ++i)
#pragma unroll
    for (int j = i; j > 0; --j)
      if (item[j] < item[j - 1]) {
        Key t = item[j];
        item[j] = item[j - 1];
        item[j - 1] = t;
      }
#pragma unroll
  for (int i = 0; i < C::items; ++i)
    buffer[0][threadIdx.x * C::items + i] = item[i];
  __syncthreads();
  int from = 0;
  for (int width = C::items; width < C::tile; width *= 2) {
    int first = threadIdx.x * C::items;
    int pair = first / (2 * width) * (2 * width);
    const Key* a = buffer[from] + pair;
    const Key* b = a + width;
    int diag = first - pair;
    int i = mergePath(a, width, b, width, diag);
    int j = diag - i;
    for (int k = 0; k < C::items; ++k) {
      bool takeA = j >= width || (i < width && a[i] <= b[j]);
      buffer[1 - from][first + k] = takeA ? a[i++] : b[j++];
    }
    from = 1 - from;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < count; i += C::threads)
    data[base + i] = buffer[from][i];
}

template <class C> __global__ void partition(const Key* data, int n, int width, int* splits) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int tiles = (n + C::tile - 1) / C::tile;
  if (t > tiles)
    return;
  int out = min(t * C::tile, n);
  int pair = out / (2 * width) * (2 * width);
  int mid = min(pair + width, n), end = min(pair + 2 * width, n);
  splits[t] = pair + mergePath(data + pair, mid - pair, data + mid, end - mid, out - pair);
}

template <class C>
__global__ void mergeTiles(const Key* __restrict__ in, Key* __restrict__ out, int n, int width,
                           const int* __restrict__ splits) {
  __shared__ Key part[C::tile];
  int first = blockIdx.x * C::tile;
  int last = min(first + C::tile, n);
  int pair = first / (2 * width) * (2 * width);
  int mid = min(pair + width, n), end = min(pair + 2 * width, n);
  int aFirst = splits[blockIdx.x];
  // the end of a pair is the start of the next one
  int aLast = last == end ? mid : splits[blockIdx.x + 1];
  int bFirst = mid + (first - pair) - (aFirst - pair);
  int bLast = mid + (last - pair) - (aLast - pair);
  int na = aLast - aFirst, nb = bLast - bFirst;
  for (int i = threadIdx.x; i < na + nb; i += C::threads)
    part[i] = i < na ? in[aFirst + i] : in[bFirst + i - na];
  __syncthreads();
  int diag = min((int)threadIdx.x * C::items, na + nb);
  int i = mergePath((const Key*)part, na, (const Key*)part + na, nb, diag);
  int j = diag - i;
  for (int k = 0; k < C::items && diag + k < na + nb; ++k) {
    bool takeA = j >= nb || (i < na && part[i] <= part[na + j]);
    out[first + diag + k] = takeA ? part[i++] : part[na + j++];
  }
}

} // namespace ms

int main(int argc, char** argv) {
  using C = ms::Config<128, 8>;
  int n = argc > 1 ? std::atoi(argv[1]) : 16000;
  std::vector<ms::Key> host(n);
  unsigned long long s = 1;
  for (auto& k : host) {
    s = s * 6364136223846793005ull + 1ull;
    k = (long long)(s ^ (s >> 29)) >> (s >> 60); // of different magnitudes
  }
  ms::Key *a = nullptr, *b = nullptr;
  int* splits = nullptr;
  int tiles = (n + C::tile - 1) / C::tile;
  cudaError_t e = cudaMalloc(&a, n * sizeof(ms::Key));
  if (e == cudaSuccess)
    e = cudaMalloc(&b, n * sizeof(ms::Key));
  if (e == cudaSuccess)
    e = cudaMalloc(&splits, (tiles + 1) * sizeof(int));
  if (e == cudaSuccess)
    e = cudaMemcpy(a, host.data(), n * sizeof(ms::Key), cudaMemcpyHostToDevice);
  if (e != cudaSuccess) {
    std::printf("FAIL %s\n", cudaGetErrorString(e));
    return 1;
  }
  ms::sortTiles<C><<<tiles, C::threads>>>(a, n);
  int passes = 0;
  for (int width = C::tile; width < n; width *= 2) {
    ms::partition<C><<<(tiles + 1 + 63) / 64, 64>>>(a, n, width, splits);
    ms::mergeTiles<C><<<tiles, C::threads>>>(a, b, n, width, splits);
    std::swap(a, b);
    ++passes;
  }
  std::vector<ms::Key> got(n);
  e = cudaMemcpy(got.data(), a, n * sizeof(ms::Key), cudaMemcpyDeviceToHost);
  if (e != cudaSuccess) {
    std::printf("FAIL %s\n", cudaGetErrorString(e));
    return 1;
  }
  std::sort(host.begin(), host.end());
  bool same = host == got;
  std::printf("%d passes, median %lld\n%s\n", passes, got[n / 2],
              same ? "PASS" : "FAIL not sorted");
  cudaFree(a);
  cudaFree(b);
  cudaFree(splits);
  return same ? 0 : 1;
}
