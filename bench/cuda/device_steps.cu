// SPDX-License-Identifier: Apache-2.0
//
// What jumps, the operations of a warp and the library's loops take on a GPU, alone on a multiprocessor and
// among other warps. Each kernel is a loop of one construct; a line says the cycles of its turn with 1, 8, 16 and
// 32 warps on a multiprocessor. Needs nothing but nvcc:
//
//   nvcc -O1 -std=c++17 -arch=native -Icuda/include bench/cuda/device_steps.cu -o device_steps && ./device_steps
//
// `heddle run --json -DONCE bench/cuda/device_steps.cu` says what the timing model thinks of the same kernels, in
// the same order.
#include <heddle/regroup.cuh>
#include <heddle/schedule.cuh>

#include <algorithm>
#include <cstdio>

namespace {

#ifdef ONCE
constexpr int mostTurns = 200;
#else
constexpr int mostTurns = 1000;
#endif
constexpr unsigned full = 0xffffffffu;

struct Place {
  unsigned lane;
  unsigned* words; ///< shared: four for each thread
  int turn;
};

template <int Count> struct Chain {
  static __device__ void apply(unsigned&, float& y, Place) {
#pragma unroll
    for (int i = 0; i < Count; ++i)
      y = fmaf(y, 0.99f, 0.5f);
  }
};
/// Four chains side by side.
template <int Count> struct Wide {
  static __device__ void apply(unsigned& x, float& y, Place) {
    float others[4] = {y, y + 1, y + 2, __uint_as_float(x)};
#pragma unroll
    for (int i = 0; i < Count; ++i)
      others[i % 4] = fmaf(others[i % 4], 0.99f, 0.5f);
    y = others[0] + others[1] + others[2] + others[3];
  }
};
/// A jump over so many every second turn, of all lanes together.
template <int Count> struct Around {
  static __device__ void apply(unsigned&, float& y, Place at) {
    if ((at.turn + threadIdx.x / 32) & 1)
      for (int i = 0; i < Count; ++i)
        y = fmaf(y, 0.98f, 0.25f);
    y = fmaf(y, 0.99f, 0.5f);
  }
};
template <int Count> __device__ float slowly(float y, float by) {
#pragma unroll 1
  for (int i = 0; i < Count; ++i)
    y = fmaf(y, by, 0.5f);
  return y;
}
struct InnerLoop {
  static __device__ void apply(unsigned&, float& y, Place) { y = slowly<50>(y, 0.99f); }
};
struct TwoInnerLoops {
  static __device__ void apply(unsigned&, float& y, Place at) {
    if ((at.lane + at.turn) & 1)
      y = slowly<50>(y, 0.99f);
    else
      y = fabsf(slowly<50>(y, 0.98f) - 0.25f);
  }
};
struct Ballot {
  static __device__ void apply(unsigned& x, float&, Place) { x = x * 5 + __ballot_sync(full, x & 4); }
};
struct Shuffle {
  static __device__ void apply(unsigned& x, float&, Place) { x = __shfl_sync(full, x, x & 31) + 1; }
};
struct BitCount {
  static __device__ void apply(unsigned& x, float&, Place) { x = __popc(x) * 0x9e3779b9u; }
};
struct FindFirst {
  static __device__ void apply(unsigned& x, float&, Place) { x = __ffs(x | 1024) * 0x9e3779b9u; }
};
struct Atomic {
  static __device__ void apply(unsigned& x, float&, Place at) { x += atomicAdd(&at.words[threadIdx.x], x & 3); }
};
struct LaneAtomic {
  static __device__ void apply(unsigned& x, float&, Place at) {
    unsigned before = 0;
    if (at.lane < 2)
      before = atomicAdd(&at.words[at.lane], x & 7);
    x += __shfl_sync(full, before, x & 1);
  }
};
struct Barrier {
  static __device__ void apply(unsigned& x, float&, Place) {
    x = x * 5 + 1;
    __syncthreads();
  }
};
struct CountingBarrier {
  static __device__ void apply(unsigned& x, float&, Place) { x = x * 5 + __syncthreads_count(x & 64); }
};
struct Exchange {
  static __device__ void apply(unsigned& x, float&, Place at) {
    at.words[threadIdx.x] = x;
    __syncthreads();
    x += at.words[threadIdx.x ^ 17];
    __syncthreads();
  }
};
struct Remainder {
  static __device__ void apply(unsigned& x, float&, Place at) { x = x % (unsigned(at.turn) + 3) + 0x9e3779b9u; }
};

template <class Step, int Block> __global__ void steps(unsigned* out, int turns) {
  __shared__ __align__(16) unsigned words[4 * Block];
  unsigned x = threadIdx.x * 0x9e3779b9u;
  float y = threadIdx.x;
  words[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn)
    Step::apply(x, y, {threadIdx.x % 32, words, turn});
  out[blockIdx.x * Block + threadIdx.x] = x + unsigned(y);
}

__device__ unsigned draw(unsigned x) { return x * 1664525u + 1013904223u; }

template <class Policy, int Block> __global__ void scheduled(unsigned* out, int turns) {
  unsigned x = draw(threadIdx.x * 0x9e3779b9u + blockIdx.x);
  int turn = 0;
  heddle::scheduled_loop<Policy, 2>([&] { return turn >= turns ? heddle::done : (x >> 20) % 8 < 2 ? 0 : 1; },
                                    [&] { x = draw(x); }, [&] { x = draw(x) ^ 5; }, [&] { ++turn; });
  out[blockIdx.x * Block + threadIdx.x] = x;
}

template <class, int Block> __global__ void regrouped(unsigned* out, int turns) {
  struct State {
    unsigned x;
    int turn, home;
  };
  State state{draw(threadIdx.x * 0x9e3779b9u + blockIdx.x), 0, int(threadIdx.x)};
  heddle::regrouped_loop<Block, 2, State, heddle::regroup_when::always>(
      state, [&](State& s) { return s.turn >= turns ? heddle::done : (s.x >> 20) % 8 < 4 ? 0 : 1; },
      [&](State& s) { s.x = draw(s.x); }, [&](State& s) { s.x = draw(s.x) ^ 5; }, [&](State& s) { ++s.turn; });
  out[blockIdx.x * Block + state.home] = state.x;
}

/// Cycles of a turn, of one block on every multiprocessor; runs of different lengths tell it from the start.
double cyclesOfTurn(void (*kernel)(unsigned*, int), int block, int turns) {
  int count = 0, kilohertz = 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
  unsigned* out = nullptr;
  cudaMalloc(&out, static_cast<size_t>(count) * block * sizeof(unsigned));
#ifdef ONCE
  kernel<<<count, block>>>(out, turns);
  float best[2] = {};
#else
  float best[2] = {1e9f, 1e9f};
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int run = 0; run < 24; ++run) {
    const bool longer = run % 2;
    cudaEventRecord(begin);
    kernel<<<count, block>>>(out, longer ? 3 * turns : turns);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    best[longer] = std::min(best[longer], milliseconds);
  }
#endif
  cudaFree(out);
  return double(best[1] - best[0]) * kilohertz / (2 * turns);
}

#define MEASURE(kernel, kind, turns)                                                                                   \
  std::printf("%-30s %8.1f %8.1f %8.1f %8.1f\n", #kind, cyclesOfTurn(kernel<kind, 32>, 32, turns),                     \
              cyclesOfTurn(kernel<kind, 256>, 256, turns), cyclesOfTurn(kernel<kind, 512>, 512, turns),                \
              cyclesOfTurn(kernel<kind, 1024>, 1024, turns))

} // namespace

int main() {
  MEASURE(steps, Chain<1>, mostTurns);
  MEASURE(steps, Chain<4>, mostTurns);
  MEASURE(steps, Chain<8>, mostTurns);
  MEASURE(steps, Chain<16>, mostTurns);
  MEASURE(steps, Chain<32>, mostTurns);
  MEASURE(steps, Chain<128>, mostTurns);
  MEASURE(steps, Wide<4>, mostTurns);
  MEASURE(steps, Wide<16>, mostTurns);
  MEASURE(steps, Around<8>, mostTurns);
  MEASURE(steps, Around<16>, mostTurns);
  MEASURE(steps, Around<64>, mostTurns);
  MEASURE(steps, InnerLoop, mostTurns / 10);
  MEASURE(steps, TwoInnerLoops, mostTurns / 10);
  MEASURE(steps, Ballot, mostTurns);
  MEASURE(steps, Shuffle, mostTurns);
  MEASURE(steps, BitCount, mostTurns);
  MEASURE(steps, FindFirst, mostTurns);
  MEASURE(steps, Atomic, mostTurns);
  MEASURE(steps, LaneAtomic, mostTurns);
  MEASURE(steps, Barrier, mostTurns);
  MEASURE(steps, CountingBarrier, mostTurns);
  MEASURE(steps, Exchange, mostTurns);
  MEASURE(steps, Remainder, mostTurns);
  MEASURE(scheduled, heddle::aging, mostTurns);
  MEASURE(regrouped, void, mostTurns);
}
