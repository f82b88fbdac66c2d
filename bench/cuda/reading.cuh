// SPDX-License-Identifier: Apache-2.0
//
// What the benchmark of reductions reads, and the kernel that does nothing but read: the bar for
// every kernel that must read all of an array.
#pragma once

#include "benchmark.cuh"

#include <heddle/device_reduce.cuh>

#include <cstdint>

namespace benchmark {

constexpr double unit = 1.0 / (1 << 20);

/// Element i of every pool, in units of 2^-20 where it is not an integer: random numbers from 0 to
/// 1 whose sums are exact in double.
__host__ __device__ inline int element(uint32_t i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  i ^= i >> 16;
  return static_cast<int>(i >> 12);
}

template <class T> __global__ void fillElements(T* to, size_t count) {
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x)
    to[i] = static_cast<T>(element(static_cast<uint32_t>(i)) *
                           (std::is_integral_v<T> ? 1.0 : 1.0 / (1 << 20)));
}

/// Memory from which every run, whoever's, takes the next array: the one that was read the longest
/// ago, so that no run finds in the cache what another has read.
template <class T> class Pool {
public:
  Pool(size_t most, int samples)
      : size_(samples == 1 ? most + slack : std::max(most + slack, least)), memory_(size_) {
    fillElements<<<1024, 256>>>(memory_.data(), size_);
    STUDY_CHECK(cudaGetLastError());
    STUDY_CHECK(cudaDeviceSynchronize());
  }
  const T* first() { return memory_.data(); }
  const T* next(size_t n) {
    const size_t step = (n + slack - 1) / slack * slack; // keeps arrays aligned alike
    if (next_ + n + 1 > size_)
      next_ = 0;
    const T* array = memory_.data() + next_;
    next_ += step;
    return array;
  }

private:
  static constexpr size_t slack = 256;
  static constexpr size_t least = (size_t{1} << 30) / sizeof(T);
  size_t size_;
  size_t next_ = 0;
  DeviceArray<T> memory_;
};

/// Reads `count` vectors in tiles of `Loads` a thread, and the rest one by one. Joins all words
/// that it reads and stores them only if they make `wanted`, so that the loads stay.
template <int Threads, int Loads>
__global__ void __launch_bounds__(Threads)
    readAll(const uint4* __restrict__ from, size_t count, unsigned wanted, unsigned* sink) {
  const auto bits = [](uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; };
  const size_t tiles = count / (Threads * Loads);
  unsigned sum = 0;
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint4* at = from + tile * Threads * Loads + threadIdx.x;
    uint4 loaded[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k)
      loaded[k] = heddle::detail::load_streaming(at + k * Threads);
#pragma unroll
    for (int k = 0; k < Loads; ++k)
      sum ^= bits(loaded[k]);
  }
  for (size_t i = tiles * Threads * Loads + size_t{blockIdx.x} * Threads + threadIdx.x; i < count;
       i += size_t{gridDim.x} * Threads)
    sum ^= bits(heddle::detail::load_streaming(from + i));
  if (sum == wanted)
    *sink = sum;
}

/// A way to launch the kernel that only reads.
struct Reading {
  void (*kernel)(const uint4*, size_t, unsigned, unsigned*);
  int threads, blocksEach;
  void run(const void* from, size_t bytes, unsigned wanted, unsigned* sink) const {
    kernel<<<study::multiprocessors() * blocksEach, threads>>>(static_cast<const uint4*>(from),
                                                               bytes / 16, wanted, sink);
    STUDY_CHECK(cudaGetLastError());
  }
};
inline const std::vector<Reading>& readings() {
  static const std::vector<Reading> all = {
      {readAll<256, 8>, 256, 2},   {readAll<256, 8>, 256, 3},  {readAll<256, 8>, 256, 4},
      {readAll<256, 8>, 256, 8},   {readAll<512, 4>, 512, 2},  {readAll<512, 4>, 512, 3},
      {readAll<512, 4>, 512, 4},   {readAll<512, 4>, 512, 16}, {readAll<1024, 4>, 1024, 1},
      {readAll<1024, 4>, 1024, 2},
  };
  return all;
}

/// Holds that each way reads the whole of an array: it finds the one word that is not 0, wherever.
inline void checkReadings(size_t bytes) {
  constexpr unsigned wanted = 0x9e3779b9u;
  DeviceArray<unsigned> sink(1);
  const size_t words = bytes / sizeof(unsigned);
  for (const size_t at : {size_t{0}, words / 2 + 1, words - 1}) {
    DeviceArray<unsigned> array(words);
    STUDY_CHECK(cudaMemset(array.data(), 0, bytes));
    STUDY_CHECK(cudaMemcpy(array.data() + at, &wanted, sizeof wanted, cudaMemcpyHostToDevice));
    for (const Reading& reading : readings()) {
      STUDY_CHECK(cudaMemset(sink.data(), 0, sizeof(unsigned)));
      reading.run(array.data(), bytes, wanted, sink.data());
      require(sink.values()[0] == wanted, "reading alone skips a word");
    }
  }
}

} // namespace benchmark
