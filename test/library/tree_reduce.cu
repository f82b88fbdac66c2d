// SPDX-License-Identifier: Apache-2.0
//
// reduce_neighbours and reduce_halves against the textbook's loops on the host, for every block size:
// sums of floating-point numbers that round, so that another pairing gives other bits.
#include <heddle/tree_reduce.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define REQUIRE(condition)                                                                         \
  if (!(condition)) {                                                                              \
    std::printf("line %d: %s does not hold\n", __LINE__, #condition);                              \
    std::exit(1);                                                                                  \
  }

constexpr int blocks = 3;

struct Subtract { // neither associative nor commutative: only the loop's own pairs give its result
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a - b; }
};

template <class T, class Op> T neighboursOnHost(std::vector<T> words, Op op) {
  for (size_t s = 1; s < words.size(); s *= 2)
    for (size_t t = 0; t < words.size(); t += 2 * s)
      words[t] = op(words[t], words[t + s]);
  return words[0];
}

template <class T, class Op> T halvesOnHost(std::vector<T> words, Op op) {
  for (size_t s = words.size() / 2; s > 0; s /= 2)
    for (size_t t = 0; t < s; ++t)
      words[t] = op(words[t], words[t + s]);
  return words[0];
}

template <int Threads, class T, class Op> __global__ void reduceBoth(const T* in, T* out, Op op) {
  __shared__ T words[Threads];
  words[threadIdx.x] = in[blockIdx.x * Threads + threadIdx.x];
  heddle::reduce_neighbours<Threads>(words, op);
  if (threadIdx.x == 0)
    out[2 * blockIdx.x] = words[0];
  __syncthreads();
  words[threadIdx.x] = in[blockIdx.x * Threads + threadIdx.x];
  __syncthreads();
  heddle::reduce_halves<Threads>(words, op);
  __syncthreads();
  if (threadIdx.x == Threads - 1) // everyone sees the result behind a barrier
    out[2 * blockIdx.x + 1] = words[0];
}

template <class T> bool sameBits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <int Threads, class T, class Op> void check(const char* what, Op op) {
  std::vector<T> host(static_cast<size_t>(blocks) * Threads);
  uint32_t state = Threads;
  for (T& value : host) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<T>(static_cast<int>(state >> 8)) / static_cast<T>(3);
  }
  T *in = nullptr, *out = nullptr;
  REQUIRE(cudaMalloc(&in, host.size() * sizeof(T)) == cudaSuccess);
  REQUIRE(cudaMalloc(&out, 2 * blocks * sizeof(T)) == cudaSuccess);
  REQUIRE(cudaMemcpy(in, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice) ==
          cudaSuccess);
  reduceBoth<Threads><<<blocks, Threads>>>(in, out, op);
  T found[2 * blocks];
  REQUIRE(cudaMemcpy(found, out, sizeof(found), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int block = 0; block < blocks; ++block) {
    const std::vector<T> words(host.begin() + block * Threads,
                               host.begin() + (block + 1) * Threads);
    REQUIRE(sameBits(found[2 * block], neighboursOnHost(words, op)));
    REQUIRE(sameBits(found[2 * block + 1], halvesOnHost(words, op)));
  }
  cudaFree(in);
  cudaFree(out);
  std::printf("%-16s %4d threads: as the loops\n", what, Threads);
}

template <int Threads> void checkAll() {
  check<Threads, float>("plus float", heddle::plus());
  check<Threads, double>("plus double", heddle::plus());
  check<Threads, int>("plus int", heddle::plus());
  check<Threads, short>("maximum short", heddle::maximum());
  check<Threads, float>("minus float", Subtract());
}

int main() {
  checkAll<32>();
  checkAll<64>();
  checkAll<128>();
  checkAll<256>();
  checkAll<512>();
  checkAll<1024>();
  std::printf("PASS\n");
}
