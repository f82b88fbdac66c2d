// SPDX-License-Identifier: Apache-2.0
//
// Two conditions on the thread id send threads of a block down two equal paths. `threadIdx.x > 2`
// cuts through the first warp; `threadIdx.x / 32 >= 2` cuts between warps, and no warp diverges. A
// third, `threadIdx.x % 32 > 2`, cuts through every warp. Ballots count the warps that diverge;
// time follows them.
//
//   heddle run studies/warp-granularity/warp-granularity.cu --device 8800gtx -- --turns 8
#include "../paths.cuh"

using paths::warpLanes;

constexpr unsigned wholeWarp = 0xffffffffu;

enum Condition { WithinFirstWarp, BetweenWarps, WithinEveryWarp };
constexpr int conditions = 3;
const char* const names[conditions] = {"threadIdx.x > 2", "threadIdx.x / 32 >= 2",
                                       "threadIdx.x % 32 > 2"};

__host__ __device__ bool takes(Condition condition, int thread) {
  switch (condition) {
  case WithinFirstWarp:
    return thread > 2;
  case BetweenWarps:
    return thread / warpLanes >= 2;
  default:
    return thread % warpLanes > 2;
  }
}

template <Condition C> __global__ void branchOnThread(float* results, int turns) {
  const bool first = takes(C, threadIdx.x);
  results[blockIdx.x * blockDim.x + threadIdx.x] = paths::takeEither(first, 1.0f, turns);
}

struct Counts {
  int warps, divergent, threadsApart; ///< apart: on the smaller side of a divergent warp
};

template <Condition C> __global__ void countDivergence(Counts* counts) {
  const unsigned taken = __ballot_sync(wholeWarp, takes(C, threadIdx.x));
  if (threadIdx.x % warpLanes != 0)
    return;
  const int takers = __popc(taken);
  atomicAdd(&counts->warps, 1);
  if (takers > 0 && takers < warpLanes) {
    atomicAdd(&counts->divergent, 1);
    atomicAdd(&counts->threadsApart, min(takers, warpLanes - takers));
  }
}

struct Setting {
  int blocks, turns;
  int repeats;
};

/// Blocks that branch on one condition.
template <Condition C> class Blocks {
public:
  Blocks(int threads, const Setting& setting)
      : threads_(threads), setting_(setting),
        results_(static_cast<size_t>(setting.blocks) * threads) {}
  void launch() {
    branchOnThread<C><<<setting_.blocks, threads_>>>(results_.data(), setting_.turns);
  }
  void check() const {
    const std::vector<float> found = results_.values();
    const float expected[] = {paths::takeEither(false, 1.0f, setting_.turns),
                              paths::takeEither(true, 1.0f, setting_.turns)};
    for (size_t i = 0; i < found.size(); ++i)
      study::require(found[i] == expected[takes(C, static_cast<int>(i % threads_))],
                     "thread " + std::to_string(i) + " took the wrong path");
  }

private:
  int threads_;
  Setting setting_;
  study::DeviceArray<float> results_;
};

template <Condition C> void measure(int threads, const Setting& setting) {
  study::DeviceArray<Counts> counts(1);
  counts.clear();
  countDivergence<C><<<1, threads>>>(counts.data());
  const Counts counted = counts.values()[0];

  Blocks<C> blocks(threads, setting);
  const double time = study::workMicroseconds(setting.repeats, [&] { blocks.launch(); });
  blocks.check();

  study::Row(names[C])
      .set("threads", threads)
      .set("warps", counted.warps)
      .set("divergentWarps", counted.divergent)
      .set("divergentShare", counted.divergent / static_cast<double>(counted.warps))
      .set("threadsApart", counted.threadsApart)
      .set("microseconds", time)
      .set("nanosecondsPerThread", 1e3 * time / setting.blocks / threads)
      .print();
}

/// Conditions that cut through warps over the one that cuts between them.
void record(int threads, const Setting& setting) {
  Blocks<BetweenWarps> between(threads, setting);
  Blocks<WithinFirstWarp> first(threads, setting);
  Blocks<WithinEveryWarp> every(threads, setting);
  const auto recordOf = [&](Condition condition) {
    return benchmark::Record("warp-granularity")
        .set("condition", names[condition])
        .set("threads", threads);
  };
  benchmark::compareAll(
      names[BetweenWarps], [&](int) { between.launch(); },
      {{recordOf(WithinFirstWarp), [&](int) { first.launch(); }},
       {recordOf(WithinEveryWarp), [&](int) { every.launch(); }}},
      setting.repeats);
  between.check();
  first.check();
  every.check();
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  Setting setting{};
  setting.turns = static_cast<int>(arguments.number("turns", 1024));
  const int blocksPerMultiprocessor = static_cast<int>(arguments.number("blocks", 8));
  setting.blocks = blocksPerMultiprocessor * study::multiprocessors();
  setting.repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();

  for (const int threads : {96, 128, 192, 256, 384, 512}) {
    if (records) {
      record(threads, setting);
      continue;
    }
    measure<WithinFirstWarp>(threads, setting);
    measure<BetweenWarps>(threads, setting);
    measure<WithinEveryWarp>(threads, setting);
  }
}
