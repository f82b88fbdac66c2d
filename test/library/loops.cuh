// SPDX-License-Identifier: Apache-2.0
//
// The loop that the tests of scheduled_loop and regrouped_loop run: ways at random, `continue`,
// `break`, a part after the paths, trip counts from 0 to 19. The host runs it as a plain loop.
#pragma once

#include <heddle/ways.cuh>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define REQUIRE(condition)                                                                         \
  if (!(condition)) {                                                                              \
    std::printf("line %d: %s does not hold\n", __LINE__, #condition);                              \
    std::exit(1);                                                                                  \
  }

struct Loop {
  unsigned random;
  unsigned value;
  int turn;
  int turns;
  int thread;

  __host__ __device__ explicit Loop(int number)
      : random(scrambled(static_cast<unsigned>(number))), value(random), turn(0),
        turns(static_cast<int>(random >> 8) % 20), thread(number) {}

  static __host__ __device__ unsigned scrambled(unsigned x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
  }

  __host__ __device__ int next(int ways) {
    if (turn == turns)
      return heddle::done;
    ++turn;
    random = scrambled(random + 1);
    return static_cast<int>(random % static_cast<unsigned>(ways));
  }
  __host__ __device__ heddle::flow path(int way) {
    value = value * static_cast<unsigned>(2 * way + 3) + static_cast<unsigned>(way);
    if (random >> 28 == 1)
      return heddle::flow::skip;
    return random >> 25 == 77 ? heddle::flow::leave : heddle::flow::proceed;
  }
  __host__ __device__ void after() { value ^= value >> 7; }
};

/// What thread `number` ends with.
inline unsigned expectedValue(int number, int ways) {
  Loop loop(number);
  while (loop.turn < loop.turns) {
    const int way = loop.next(ways);
    const heddle::flow ended = loop.path(way);
    if (ended == heddle::flow::skip)
      continue;
    if (ended == heddle::flow::leave)
      break;
    loop.after();
  }
  return loop.value;
}

/// Part number `Way` of a loop: a path that says how its turn ends.
template <int Way> struct Path {
  __device__ heddle::flow operator()(Loop& loop) const { return loop.path(Way); }
};

/// Results on the device, poisoned before each launch.
class Results {
public:
  explicit Results(int size) : size_(static_cast<size_t>(size)) {
    REQUIRE(cudaMalloc(&data_, size_ * sizeof(unsigned)) == cudaSuccess);
    REQUIRE(cudaMemset(data_, 0xab, size_ * sizeof(unsigned)) == cudaSuccess);
  }
  Results(const Results&) = delete;
  ~Results() { cudaFree(data_); }
  unsigned* data() { return data_; }
  std::vector<unsigned> values() {
    std::vector<unsigned> copy(size_);
    REQUIRE(cudaMemcpy(copy.data(), data_, size_ * sizeof(unsigned), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return copy;
  }

private:
  unsigned* data_ = nullptr;
  size_t size_;
};

/// A number for all values, in order.
inline unsigned checksum(const std::vector<unsigned>& values) {
  unsigned sum = 0;
  for (const unsigned value : values)
    sum = sum * 31 + value;
  return sum;
}
