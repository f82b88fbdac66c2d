// SPDX-License-Identifier: Apache-2.0
//
// Appendix F of Novak's supplement: a loop body with two ifs, in series or nested, flattened into
// one switch of four alternatives, so that its iterations can be scheduled.
//
//   series   c1 ? A : B;  c2 ? C : D;      native
//            stages        one if per pass: switch (A, B, C, D), twice the passes
//            combinations  both ifs per pass: switch (AC, AD, BC, BD)
//   nested   c1 ? (c2 ? A : B) : (c2 ? C : D)      native, or switch (A, B, C, D)
//
// Every form runs as it stands and under scheduling policies. Each segment (A, B, C or D) counts
// the lanes that run it and the turns the warp spends on it, so that efficiency = lanes / (32
// turns).
#include "../../bench/cuda/benchmark.cuh"
#include "../novak.cuh"

#include <cstdint>
#include <cstring>
#include <random>

namespace {

using novak::finished;
using novak::lanesOfWarp;

constexpr int ways = 4;
constexpr int percents[] = {5, 10, 25, 50};

struct Task {
  int iterations;
  int delay;
  uint32_t percent; // of c1 and of c2
};

/// What a lane did. `turns` counts only what this lane led, so that the sum counts each turn once.
struct Account {
  int runs;
  int turns;
  int passes;       // of the loop
  unsigned visited; // alternatives, one bit each
};

/// One lane's state: what the segments and the conditions of every form share.
struct Lane {
  Task task;
  uint32_t random;
  float result = 1;
  int done = 0; // passes
  Account account = {};

  __device__ bool decide() {
    random = (0x0019660Du * random + 0x3C6EF35Fu) & 0x00FFFFFFu;
    return 100 * random < 0x01000000u * task.percent;
  }

  __device__ void count() {
    const unsigned active = __activemask();
    ++account.runs;
    account.turns += int(threadIdx.x) == __ffs(int(active)) - 1;
  }

  __device__ void segmentA() { spend(0.99998f, 3.0f); }
  __device__ void segmentB() { spend(0.99997f, -2.0f); }
  __device__ void segmentC() { spend(0.99996f, 5.0f); }
  __device__ void segmentD() { spend(0.99995f, -7.0f); }

private:
  __device__ void spend(float factor, float term) {
    count();
#pragma unroll 1
    for (int j = 0; j < task.delay; ++j)
      result = fmaf(factor, result, term);
  }
};

/// The conditions of the next pass and its alternative; what all forms but stages do.
struct WholeIterations : Lane {
  bool one = false, two = false;

  __device__ explicit WholeIterations(Lane lane) : Lane(lane) {}

  __device__ int first() {
    if (done == task.iterations)
      return finished;
    one = decide();
    two = decide();
    return (one ? 0 : 2) + (two ? 0 : 1);
  }

  __device__ int next(int path) {
    account.visited |= 1u << path;
    ++account.passes;
    ++done;
    return first();
  }
};

struct SeriesNative : WholeIterations {
  using WholeIterations::WholeIterations;
  static constexpr const char* shape = "series";
  static constexpr const char* form = "native";

  __device__ int run(int path) {
    if (one)
      segmentA();
    else
      segmentB();
    if (two)
      segmentC();
    else
      segmentD();
    return next(path);
  }
};

struct SeriesCombinations : WholeIterations {
  using WholeIterations::WholeIterations;
  static constexpr const char* shape = "series";
  static constexpr const char* form = "combinations";

  __device__ int run(int path) {
    switch (path) {
    case 0:
      segmentA();
      segmentC();
      break;
    case 1:
      segmentA();
      segmentD();
      break;
    case 2:
      segmentB();
      segmentC();
      break;
    default:
      segmentB();
      segmentD();
    }
    return next(path);
  }
};

/// Control logic that keeps the order: after A or B the second if, after C or D the next iteration.
struct SeriesStages : Lane {
  static constexpr const char* shape = "series";
  static constexpr const char* form = "stages";

  __device__ explicit SeriesStages(Lane lane) : Lane(lane) {}

  __device__ int first() {
    if (done == 2 * task.iterations)
      return finished;
    return 2 * (done & 1) + (decide() ? 0 : 1);
  }

  __device__ int run(int path) {
    switch (path) {
    case 0:
      segmentA();
      break;
    case 1:
      segmentB();
      break;
    case 2:
      segmentC();
      break;
    default:
      segmentD();
    }
    account.visited |= 1u << path;
    ++account.passes;
    ++done;
    return first();
  }
};

struct NestedNative : WholeIterations {
  using WholeIterations::WholeIterations;
  static constexpr const char* shape = "nested";
  static constexpr const char* form = "native";

  __device__ int run(int path) {
    if (one) {
      if (two)
        segmentA();
      else
        segmentB();
    } else {
      if (two)
        segmentC();
      else
        segmentD();
    }
    return next(path);
  }
};

struct NestedSwitch : WholeIterations {
  using WholeIterations::WholeIterations;
  static constexpr const char* shape = "nested";
  static constexpr const char* form = "switch";

  __device__ int run(int path) {
    switch (path) {
    case 0:
      segmentA();
      break;
    case 1:
      segmentB();
      break;
    case 2:
      segmentC();
      break;
    default:
      segmentD();
    }
    return next(path);
  }
};

/// The "policy" of a loop that runs as it stands.
struct Unscheduled {
  static constexpr const char* name = "none";
};

template <class Loop, class Policy>
__global__ void runLoop(Task task, const uint32_t* seeds, float* results, Account* accounts) {
  Loop loop(Lane{task, seeds[threadIdx.x]});
  if constexpr (std::is_same_v<Policy, Unscheduled>)
    novak::runNative(loop);
  else
    novak::runScheduled<ways>(loop, Policy());
  results[threadIdx.x] = loop.result;
  accounts[threadIdx.x] = loop.account;
}

struct Bench {
  Bench(const std::vector<uint32_t>& seedOfLane, int repeatCount)
      : seeds(seedOfLane), results(lanesOfWarp), accounts(lanesOfWarp), repeats(repeatCount) {}
  study::DeviceArray<uint32_t> seeds;
  study::DeviceArray<float> results;
  study::DeviceArray<Account> accounts;
  int repeats;
};

template <class Loop, class Policy> void launch(Bench& bench, Task task) {
  runLoop<Loop, Policy>
      <<<1, lanesOfWarp>>>(task, bench.seeds.data(), bench.results.data(), bench.accounts.data());
}

/// What the native form of the same shape gave.
struct Reference {
  std::vector<float> results;
  double microseconds = 0;
  double efficiency = 0;
};

void checkResults(const std::vector<float>& native, const std::vector<float>& found,
                  const char* form, const char* policy) {
  study::require(memcmp(found.data(), native.data(), found.size() * sizeof(float)) == 0,
                 std::string(form) + ", " + policy + ": not the bits of the native form");
}

/// What all lanes did together.
Account sumOf(const std::vector<Account>& lanes) {
  Account sum = {};
  for (const Account& lane : lanes) {
    sum.runs += lane.runs;
    sum.turns += lane.turns;
    sum.passes += lane.passes;
    sum.visited |= lane.visited;
  }
  return sum;
}

/// Runs one form under one policy and prints its row; the native form fills the reference.
template <class Loop, class Policy>
void measureForm(Bench& bench, Task task, Reference& reference) {
  const auto timeOf = [&](Task some) {
    return study::microseconds(bench.repeats, [&] { launch<Loop, Policy>(bench, some); });
  };
  timeOf({1, 1, task.percent}); // whatever a kernel's first launch brings with it
  const double empty = timeOf({0, task.delay, task.percent});
  const double time = (timeOf(task) - empty) / task.iterations;
  const std::vector<float> results = bench.results.values();
  const Account sum = sumOf(bench.accounts.values());
  const double efficiency = double(sum.runs) / (double(lanesOfWarp) * sum.turns);
  if (strcmp(Loop::form, "native") == 0)
    reference = {results, time, efficiency};
  checkResults(reference.results, results, Loop::form, Policy::name);
  const double lanePasses = double(lanesOfWarp) * task.iterations;
  study::Row(std::string(Loop::form) + ", " + Policy::name)
      .set("shape", Loop::shape)
      .set("form", Loop::form)
      .set("policy", Policy::name)
      .set("p", task.percent / 100.0)
      .set("delay", task.delay)
      .set("iterations", task.iterations)
      .set("microseconds", time)
      .set("efficiency", efficiency)
      .set("turnsPerIteration", double(sum.turns) / task.iterations)
      .set("passesPerIteration", sum.passes / lanePasses)
      .set("alternatives", __builtin_popcount(sum.visited))
      .set("speedup", reference.microseconds / time)
      .set("efficiencyGain", efficiency / reference.efficiency)
      .print();
}

template <class Loop> void measureScheduled(Bench& bench, Task task, Reference& reference) {
  measureForm<Loop, Unscheduled>(bench, task, reference);
  measureForm<Loop, novak::Frequency<ways>>(bench, task, reference);
  measureForm<Loop, novak::Laggard<ways>>(bench, task, reference);
  measureForm<Loop, novak::Aging<ways>>(bench, task, reference);
}

void measureAll(Bench& bench, Task task) {
  Reference series, nested;
  measureForm<SeriesNative, Unscheduled>(bench, task, series);
  measureScheduled<SeriesStages>(bench, task, series);
  measureScheduled<SeriesCombinations>(bench, task, series);
  measureForm<NestedNative, Unscheduled>(bench, task, nested);
  measureScheduled<NestedSwitch>(bench, task, nested);
}

/// One form under one policy, after a launch that gave the native form's bits.
template <class Loop, class Policy>
benchmark::Contender contender(Bench& bench, Task task, const std::vector<float>& native) {
  launch<Loop, Policy>(bench, task);
  checkResults(native, bench.results.values(), Loop::form, Policy::name);
  return {benchmark::Record("novak-flattening")
              .set("shape", Loop::shape)
              .set("form", Loop::form)
              .set("policy", Policy::name)
              .set("percent", int(task.percent))
              .set("delay", task.delay),
          [&bench, task](int) { launch<Loop, Policy>(bench, task); }};
}

/// Flattened forms over the native one of the same shape.
template <class Native, class... Flattened> void recordShape(Bench& bench, Task task) {
  launch<Native, Unscheduled>(bench, task);
  const std::vector<float> native = bench.results.values();
  std::vector<benchmark::Contender> contenders;
  (contenders.push_back(contender<Flattened, Unscheduled>(bench, task, native)), ...);
  (contenders.push_back(contender<Flattened, novak::Aging<ways>>(bench, task, native)), ...);
  benchmark::compareAll(
      "native", [&](int) { launch<Native, Unscheduled>(bench, task); }, contenders, bench.repeats);
}

} // namespace

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int iterations = int(arguments.number("iterations", 400));
  const int shortDelay = int(arguments.number("short", 4));
  const int longDelay = int(arguments.number("long", 200));
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();

  std::vector<uint32_t> seeds(lanesOfWarp);
  std::mt19937 random(2014);
  for (uint32_t& seed : seeds)
    seed = random() >> 8;
  Bench bench(seeds, repeats);
  for (const int delay : {shortDelay, longDelay})
    for (const int percent : percents) {
      const Task task = {iterations, delay, uint32_t(percent)};
      if (!records) {
        measureAll(bench, task);
      } else if (percent == 10 || percent == 50) {
        recordShape<SeriesNative, SeriesStages, SeriesCombinations>(bench, task);
        recordShape<NestedNative, NestedSwitch>(bench, task);
      }
    }
}
