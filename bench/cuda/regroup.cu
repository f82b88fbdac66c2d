// SPDX-License-Identifier: Apache-2.0
//
// regrouped_loop against the loop as it is: a thread takes one of 2, 4 or 8 ways at random each
// turn, each a chain of multiply-adds. Also where regrouping would not pay, because the paths are
// short or because the threads of a warp agree: there it must not cost anything either.
//
//   --samples N   rounds of measurements; 1 on the engine
//   --small 1     only the loops of ten iterations, which the engine can run in time
#include "benchmark.cuh"

#include <heddle/regroup.cuh>

#include <utility>

using namespace benchmark;

namespace {

struct Task {
  const unsigned* seeds;
  float* results;
  int iterations;
  int shift; ///< 5 gives the threads of a warp the same random numbers
};

struct State {
  unsigned random;
  float value;
  int turn;
  int thread;
};

__device__ int thisThread() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

template <int Ways> __device__ int nextWay(unsigned& random) {
  random = (0x0019660Du * random + 0x3C6EF35Fu) & 0x00FFFFFFu;
  return static_cast<int>(random >> 20) & (Ways - 1);
}

template <int Way, int MultiplyAdds> struct Path {
  __device__ void operator()(State& state) const {
#pragma unroll 5
    for (int i = 0; i < MultiplyAdds; ++i)
      state.value = fmaf(state.value, 1.0f + Way * 0.0001f, 0.5f - 0.25f * Way);
  }
};

/// A switch over the ways.
template <int Ways, int MultiplyAdds, int Way = 0> __device__ void takePath(int way, State& state) {
  if constexpr (Way + 1 < Ways)
    if (way != Way)
      return takePath<Ways, MultiplyAdds, Way + 1>(way, state);
  Path<Way, MultiplyAdds>()(state);
}

__device__ State firstState(const Task& task) {
  const unsigned seed = task.seeds[thisThread() >> task.shift];
  return {seed, static_cast<float>(seed), 0, thisThread()};
}

template <int Ways, int MultiplyAdds> __global__ void native(Task task) {
  State state = firstState(task);
  for (int i = 0; i < task.iterations; ++i)
    takePath<Ways, MultiplyAdds>(nextWay<Ways>(state.random), state);
  task.results[state.thread] = state.value;
}

template <int BlockSize, int Ways, int MultiplyAdds, heddle::regroup_when When, int... Way>
__device__ void runRegrouped(const Task& task, State& state, std::integer_sequence<int, Way...>) {
  constexpr int instructions = MultiplyAdds * 8 / 5; // three more for five: count, compare, branch
  heddle::regrouped_loop<BlockSize, Ways, State, When, instructions>(
      state,
      [&](State& mine) {
        if (mine.turn == task.iterations)
          return heddle::done;
        ++mine.turn;
        return nextWay<Ways>(mine.random);
      },
      Path<Way, MultiplyAdds>()...);
}

template <int BlockSize, int Ways, int MultiplyAdds, heddle::regroup_when When>
__global__ void __launch_bounds__(BlockSize) regrouped(Task task) {
  State state = firstState(task);
  runRegrouped<BlockSize, Ways, MultiplyAdds, When>(task, state,
                                                    std::make_integer_sequence<int, Ways>());
  task.results[state.thread] = state.value;
}

struct Plan {
  int samples, iterations, waves;
};

/// One input, and what the default rule must reach on it; 0 where nothing is asked.
struct Point {
  int shift;
  double bar;
};

using heddle::regroup_when;

template <int BlockSize, int Ways, int MultiplyAdds>
void measure(const Plan& plan, const Point& point) {
  const int threads = study::multiprocessors() * 2048 * plan.waves;
  const int blocks = threads / BlockSize;
  DeviceArray<unsigned> seeds(makeSeeds(static_cast<size_t>(threads)));
  DeviceArray<float> results(static_cast<size_t>(threads));
  const Task task{seeds.data(), results.data(), plan.iterations, point.shift};
  const char* names[] = {"mixed", "always", "never"};
  using Kernel = void (*)(Task);
  const Kernel kernels[] = {regrouped<BlockSize, Ways, MultiplyAdds, regroup_when::mixed>,
                            regrouped<BlockSize, Ways, MultiplyAdds, regroup_when::always>,
                            regrouped<BlockSize, Ways, MultiplyAdds, regroup_when::never>};
  native<Ways, MultiplyAdds><<<blocks, BlockSize>>>(task);
  const std::vector<float> expected = results.values();
  std::vector<Run> runs = {[&](int) { native<Ways, MultiplyAdds><<<blocks, BlockSize>>>(task); }};
  for (size_t i = 0; i < std::size(kernels); ++i) {
    results.fillWithNaN();
    kernels[i]<<<blocks, BlockSize>>>(task);
    require(results.values() == expected, std::string(names[i]) + " changes the results");
    runs.push_back([&, kernel = kernels[i]](int) { kernel<<<blocks, BlockSize>>>(task); });
  }
  const std::vector<Timing> times = timeInTurns(runs, plan.samples);
  for (size_t i = 0; i < std::size(kernels); ++i)
    Record("regrouped_loop")
        .set("when", names[i])
        .set("ways", Ways)
        .set("multiplyAdds", MultiplyAdds)
        .set("warpsAgree", point.shift == 5 ? "yes" : "no")
        .set("blockSize", BlockSize)
        .set("iterations", plan.iterations)
        .set("waves", plan.waves)
        .compare(times[i + 1], "native", times[0], i == 0 ? point.bar : 0);
}

/// How it depends on the size of a block.
template <int Ways, int MultiplyAdds> void measureBlocks(const Plan& plan) {
  measure<256, Ways, MultiplyAdds>(plan, {0, 0});
  measure<512, Ways, MultiplyAdds>(plan, {0, 0});
}

/// Where the rule says no. A turn of the plain form costs some ten instructions more than the loop
/// as it was, so there is no bar for the shortest paths.
void measureRefusals(const Plan& plan) {
  measure<1024, 2, 100>(plan, {0, 0.95});
  measure<256, 2, 100>(plan, {0, 0.95});
  measure<1024, 4, 400>(plan, {5, 0.95});
  measure<256, 4, 200>(plan, {5, 0.95});
  measure<256, 2, 50>(plan, {0, 0});
  measure<256, 4, 20>(plan, {0, 0});
  measure<256, 4, 50>(plan, {5, 0});
}

void measureAll(const Plan& plan) {
  measure<1024, 2, 400>(plan, {0, 1.5});
  measure<1024, 4, 400>(plan, {0, 2.7});
  measure<1024, 8, 400>(plan, {0, 4.5});
  measure<1024, 4, 50>(plan, {0, 1.2});
  measure<1024, 8, 50>(plan, {0, 0});
  measureBlocks<2, 400>(plan);
  measureBlocks<4, 400>(plan);
  measureBlocks<8, 400>(plan);
  measureBlocks<4, 50>(plan);
  measureRefusals(plan);
}

/// Few turns in one wave of blocks: no bar.
void measureSmall(const Plan& plan) {
  measure<1024, 2, 400>(plan, {0, 0});
  measure<1024, 4, 400>(plan, {0, 0});
  measure<256, 4, 400>(plan, {0, 0});
  measure<1024, 4, 50>(plan, {0, 0});
  measure<1024, 8, 50>(plan, {0, 0});
  measure<256, 2, 100>(plan, {0, 0});
  measure<256, 4, 200>(plan, {5, 0});
}

} // namespace

int main(int count, char** values) {
  study::Arguments arguments(count, values);
  const int samples = static_cast<int>(arguments.number("samples", 11));
  const bool onlySmall = arguments.number("small", 2) == 1;
  arguments.done();

  if (!onlySmall)
    measureAll({samples, 200, 4});
  measureSmall({samples, 10, 1});
  return 0;
}
