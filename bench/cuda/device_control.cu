// SPDX-License-Identifier: Apache-2.0
//
// Measures what control flow and the operations of a warp cost on a GPU: a turn of a loop, branches
// that a warp takes as one or divided, barriers, votes, shuffles. Prints one JSON object. Needs
// nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_control.cu -o device_control && ./device_control
//
// Every number is of one turn of a loop, in cycles: of one warp alone (what it waits) and of 32 warps on
// one multiprocessor, by the warp and scheduler (what it occupies). Multiply-adds of a chain, known to take
// four cycles each, stand for work; `plain` is a turn with the work and nothing else.
#include "device.cuh"

#include <string>

namespace {

using device::print;

constexpr int turns = 512;
constexpr int warpLanes = 32;
constexpr int schedulers = 4;

struct Place {
  int lane, warp, turn;
};

template <int Count> __device__ void work(float& x) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(x));
}
template <int Count> __device__ void otherWork(float& x) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    asm volatile("fma.rn.f32 %0, %0, 0f3F400000, %0;" : "+f"(x));
}

template <int Count> struct Plain {
  static __device__ void apply(float& x, Place) { work<Count>(x); }
};
/// All lanes take the same side, another one every turn.
template <int Count> struct UniformBranch {
  static __device__ void apply(float& x, Place at) {
    if ((at.warp + at.turn) & 1)
      work<Count>(x);
    else
      otherWork<Count>(x);
  }
};
template <int Count> struct DivergentBranch {
  static __device__ void apply(float& x, Place at) {
    if ((at.lane + at.turn) & 1)
      work<Count>(x);
    else
      otherWork<Count>(x);
  }
};
/// An if without an else: half of the lanes, none of them, all of them.
template <int Count> struct HalfSkip {
  static __device__ void apply(float& x, Place at) {
    if ((at.lane + at.turn) & 1)
      work<Count>(x);
  }
};
template <int Count> struct Skipped {
  static __device__ void apply(float& x, Place at) {
    if (((at.lane + at.turn) & 64) != 0) // no lane before turn 32, then whole warps in turns
      work<Count>(x);
  }
};
/// Four ways by a switch; `Ways` of them are taken in every turn.
template <int Count, int Ways> struct Switch {
  static __device__ void apply(float& x, Place at) {
    switch (at.lane % Ways) {
    case 0:
      return work<Count>(x);
    case 1:
      return otherWork<Count>(x);
    case 2:
      work<Count / 2>(x);
      return otherWork<Count / 2>(x);
    default:
      otherWork<Count / 2>(x);
      return work<Count / 2>(x);
    }
  }
};
/// 32 ways of 16 multiply-adds, 256 bytes of code each: the same one for all lanes in a turn, or all.
template <int Way> __device__ void ownWork(float& x) {
#pragma unroll
  for (int i = 0; i < 16; ++i)
    x = fmaf(x, 0.5f + Way / 128.0f, 1.0f + Way);
}
template <bool Divided> struct WideSwitch {
  static __device__ void apply(float& x, Place at) {
#define WAY(K)                                                                                     \
  case K:                                                                                          \
    return ownWork<K>(x);
#define FOUR_WAYS(K) WAY(K) WAY(K + 1) WAY(K + 2) WAY(K + 3)
    switch (Divided ? at.lane : at.turn * 5 % warpLanes) {
      FOUR_WAYS(0)
      FOUR_WAYS(4)
      FOUR_WAYS(8)
      FOUR_WAYS(12)
      FOUR_WAYS(16)
      FOUR_WAYS(20)
      FOUR_WAYS(24)
      FOUR_WAYS(28)
    }
  }
};
/// An inner loop that some lanes leave before others: of 1 to `Most` turns.
template <int Count, int Most, bool Divided> struct InnerLoop {
  static __device__ void apply(float& x, Place at) {
    const int last = Divided ? at.lane % Most : (at.turn | (Most - 1)) & (Most - 1);
#pragma unroll 1
    for (int i = 0; i <= last; ++i)
      work<Count>(x);
  }
};
/// An inner loop that breaks in its middle, the same turn for all lanes or not.
template <int Count, int Most, bool Divided> struct BreakingLoop {
  static __device__ void apply(float& x, Place at) {
    const int last = Divided ? at.lane % Most : (at.turn | (Most - 1)) & (Most - 1);
#pragma unroll 1
    for (int i = 0;; ++i) {
      work<Count / 2>(x);
      if (i == last)
        break;
      otherWork<Count / 2>(x);
    }
  }
};

struct Ballot {
  static __device__ void apply(float& x, Place) {
    x = __uint_as_float(__ballot_sync(~0u, x != 1.0f));
  }
};
/// As a scheduler of iterations asks: how many lanes want each of two ways.
struct BallotsAndCounts {
  static __device__ void apply(float& x, Place at) {
    const bool first = __float_as_int(x) > at.lane;
    const int a = __popc(__ballot_sync(~0u, first)), b = __popc(__ballot_sync(~0u, !first));
    x = __int_as_float(a > b ? a : b + at.turn);
  }
};
struct Any {
  static __device__ void apply(float& x, Place) { x = __any_sync(~0u, x != 1.0f) ? x + 1 : x; }
};
struct SyncWarp {
  static __device__ void apply(float& x, Place) {
    work<4>(x);
    __syncwarp();
    work<4>(x);
  }
};
struct Shuffle {
  static __device__ void apply(float& x, Place) { x = __shfl_xor_sync(~0u, x, 1); }
};
struct ShuffleSum { // five steps of a reduction
  static __device__ void apply(float& x, Place) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
      x += __shfl_xor_sync(~0u, x, step);
  }
};
struct Redux {
  static __device__ void apply(float& x, Place) {
    x = __int_as_float(int(__reduce_add_sync(~0u, unsigned(__float_as_int(x)))));
  }
};
struct Match {
  static __device__ void apply(float& x, Place) {
    x = __uint_as_float(__match_any_sync(~0u, __float_as_uint(x)));
  }
};
struct Barrier {
  static __device__ void apply(float& x, Place) {
    work<4>(x);
    __syncthreads();
  }
};
/// A barrier with a step of a reduction in shared memory on either side.
struct BarrierAndShared {
  static __device__ void apply(float& x, Place) {
    __shared__ float values[1024];
    values[threadIdx.x] = x;
    __syncthreads();
    x += values[threadIdx.x ^ 33];
    __syncthreads();
  }
};

template <class Body> __global__ void run(float* sink, long long* cycles, float start) {
  device::Stopwatch watch{cycles};
  float x = start;
  Place at{int(threadIdx.x % warpLanes), int(threadIdx.x / warpLanes), 0};
  watch.start();
#pragma unroll 1
  for (at.turn = 0; at.turn < turns; ++at.turn)
    Body::apply(x, at);
  watch.stop();
  sink[threadIdx.x] = x;
}

template <class Body> double cyclesOfTurn(int warps) {
  auto* sink = device::array<float>(1024);
  const double cycles = device::cyclesOf(
      [&](long long* place) { run<Body><<<1, warps * warpLanes>>>(sink, place, 1.0f); });
  CHECK(cudaFree(sink));
  return cycles / turns;
}

/// One warp's wait, and what a warp occupies of its scheduler while seven others share it.
template <class Body> void show(const char* name, const char* after = ",\n") {
  constexpr int many = 32;
  std::printf("    \"%s\": { \"alone\": %.2f, \"shared\": %.3f }%s", name, cyclesOfTurn<Body>(1),
              cyclesOfTurn<Body>(many) * schedulers / many, after);
  std::fflush(stdout);
}

void showBranches() {
  std::puts("  \"branches\": {");
  show<Plain<4>>("plain4");
  show<Plain<16>>("plain16");
  show<Plain<32>>("plain32");
  show<Plain<512>>("plain512"); // from here on: how far the instruction caches reach
  show<Plain<2048>>("plain2048");
  show<Plain<8192>>("plain8192");
  show<WideSwitch<false>>("switch16of1in32");
  show<WideSwitch<true>>("switch16of32");
  show<UniformBranch<2>>("uniform2");
  show<UniformBranch<4>>("uniform4");
  show<UniformBranch<8>>("uniform8");
  show<UniformBranch<16>>("uniform16");
  show<DivergentBranch<2>>("divergent2");
  show<DivergentBranch<4>>("divergent4");
  show<DivergentBranch<8>>("divergent8");
  show<DivergentBranch<16>>("divergent16");
  show<DivergentBranch<32>>("divergent32");
  show<HalfSkip<4>>("halfSkip4");
  show<HalfSkip<8>>("halfSkip8");
  show<HalfSkip<16>>("halfSkip16");
  show<Skipped<16>>("skipped16");
  show<Switch<16, 1>>("switch16of1");
  show<Switch<16, 2>>("switch16of2");
  show<Switch<16, 4>>("switch16of4");
  show<InnerLoop<8, 4, false>>("innerLoop8of4");
  show<InnerLoop<8, 4, true>>("innerLoop8of1to4");
  show<BreakingLoop<8, 4, false>>("breakingLoop8of4");
  show<BreakingLoop<8, 4, true>>("breakingLoop8of1to4", "\n  },\n");
}

void showWarps() {
  std::puts("  \"warps\": {");
  show<Ballot>("ballot");
  show<BallotsAndCounts>("ballotsAndCounts");
  show<Any>("any");
  show<SyncWarp>("syncWarp");
  show<Shuffle>("shuffle");
  show<ShuffleSum>("shuffleSum");
  show<Redux>("redux");
  show<Match>("match", "\n  },\n");
}

/// A barrier of blocks of 1 to 32 warps, and of two blocks that fill a multiprocessor.
void showBarriers() {
  std::puts("  \"barrier\": {");
  for (const int warps : {1, 2, 4, 8, 16, 32}) {
    const std::string of = std::to_string(warps);
    print(("warps" + of).c_str(), cyclesOfTurn<Barrier>(warps));
    print(("withShared" + of).c_str(), cyclesOfTurn<BarrierAndShared>(warps),
          warps == 32 ? "\n  }\n" : ",\n");
  }
}

} // namespace

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("{\n  \"gpu\": \"%s\",\n", properties.name);
  showBranches();
  showWarps();
  showBarriers();
  std::puts("}");
  return 0;
}
