// SPDX-License-Identifier: Apache-2.0
//
// Novak's verification kernel (figure D.1) under each scheduling policy, one warp at a time, and
// how far its time is from what eqs. (3) and (4) predict (figure D.2):
//
//   native     n tL + n [1-(1-p)^32] tA + n [1-p^32] tB                       (4)
//   scheduled  sum over the paths of N (t + tL + tS)                          (3)
//
// Steps: 1. measure tA, tB, tL and each policy's tS by launches of their own; 2. expect the turns N
// by a Monte Carlo on the host, with other random numbers; 3. run, check every result, compare.
//
// The printed delay loops are integer recurrences, which a compiler may replace by a closed form;
// here they are dependent fused multiply-adds.
#include "../../bench/cuda/benchmark.cuh"
#include "../novak.cuh"

#include <cstdint>
#include <cstring>
#include <random>

namespace {

using novak::finished;
using novak::lanesOfWarp;

constexpr int ways = 2; // path 0 is A, path 1 is B
constexpr int percents[] = {2, 5, 10, 25, 50, 75, 90, 98};

struct Task {
  int iterations;
  int delay;
  uint32_t percent; // of path A
};

/// One lane's loop of figure D.1. The same code computes the reference on the host.
struct VerificationLoop {
  Task task;
  uint32_t random;
  float result = 1;
  int done = 0;

  __host__ __device__ int decide() {
    random = (0x0019660Du * random + 0x3C6EF35Fu) & 0x00FFFFFFu;
    return 100 * random < 0x01000000u * task.percent ? 0 : 1;
  }

  __host__ __device__ void spend(int path) {
    if (path == 0) {
#pragma unroll 1
      for (int j = 0; j < task.delay; ++j)
        result = fmaf(0.99998f, result, 3.0f);
    } else {
#pragma unroll 1
      for (int j = 0; j < task.delay; ++j)
        result = fmaf(0.99997f, result, -2.0f);
    }
  }

  __host__ __device__ int first() { return done < task.iterations ? decide() : finished; }

  __host__ __device__ int run(int path) {
    spend(path);
    ++done;
    return first();
  }
};

/// The loop as printed: decide, branch, count.
__global__ void native(Task task, const uint32_t* seeds, float* results, int*) {
  VerificationLoop loop{task, seeds[threadIdx.x]};
  while (loop.done < task.iterations) {
    loop.spend(loop.decide());
    ++loop.done;
  }
  results[threadIdx.x] = loop.result;
}

template <class Policy>
__global__ void scheduled(Task task, const uint32_t* seeds, float* results, int* turns) {
  VerificationLoop loop{task, seeds[threadIdx.x]};
  const novak::Turns<ways> counted = novak::runScheduled<ways>(loop, Policy());
  results[threadIdx.x] = loop.result;
  if (threadIdx.x == 0) {
    turns[0] = counted.of[0];
    turns[1] = counted.of[1];
  }
}

using Kernel = void (*)(Task, const uint32_t*, float*, int*);

struct Turns {
  double a = 0, b = 0; // per iteration
};

std::vector<uint32_t> makeSeeds(int warps) {
  std::vector<uint32_t> seeds(size_t(warps) * lanesOfWarp);
  std::mt19937 random(2013);
  for (uint32_t& seed : seeds)
    seed = random() >> 8;
  return seeds;
}

/// What the compared kernels share: seeds of several warps, and memory for one.
struct Bench {
  Bench(int warpCount, int repeatCount)
      : seeds(makeSeeds(warpCount)), deviceSeeds(seeds), results(lanesOfWarp), turns(ways),
        warps(warpCount), repeats(repeatCount) {}
  std::vector<uint32_t> seeds;
  study::DeviceArray<uint32_t> deviceSeeds;
  study::DeviceArray<float> results;
  study::DeviceArray<int> turns;
  int warps;
  int repeats;
};

void launch(Bench& bench, Kernel kernel, Task task, int warp = 0) {
  kernel<<<1, lanesOfWarp>>>(task, bench.deviceSeeds.data() + warp * lanesOfWarp,
                             bench.results.data(), bench.turns.data());
}

/// One policy's kernel; native has no turns to pick.
struct Subject {
  const char* name;
  Kernel kernel;
  double turnTime = 0; // tS in microseconds
  bool isNative() const { return kernel == Kernel(native); }
};

/// Microseconds of the loop in a launch: without what a launch takes that never iterates.
double loopTime(Bench& bench, Kernel kernel, Task task, int warp = 0) {
  const auto timeOf = [&](Task some) {
    return study::microseconds(bench.repeats, [&] { launch(bench, kernel, some, warp); });
  };
  const double empty = timeOf({0, task.delay, 0});
  return timeOf(task) - empty;
}

/// Fails unless every lane of the last launch holds the bits a sequential run gives.
void checkResults(const Bench& bench, const char* name, Task task, int warp) {
  const std::vector<float> found = bench.results.values();
  for (int lane = 0; lane < lanesOfWarp; ++lane) {
    VerificationLoop loop{task, bench.seeds[size_t(warp * lanesOfWarp + lane)]};
    for (int path = loop.first(); path != finished;)
      path = loop.run(path);
    study::require(memcmp(&found[size_t(lane)], &loop.result, sizeof(float)) == 0,
                   std::string(name) + ", p = " + std::to_string(task.percent) + " %, warp " +
                       std::to_string(warp) + ", lane " + std::to_string(lane));
  }
}

/// Native turns of one warp: a path runs in an iteration when some lane takes it.
Turns nativeTurns(const Bench& bench, Task task, int warp) {
  std::vector<bool> takenA(size_t(task.iterations)), takenB(size_t(task.iterations));
  for (int lane = 0; lane < lanesOfWarp; ++lane) {
    VerificationLoop loop{task, bench.seeds[size_t(warp * lanesOfWarp + lane)]};
    for (size_t i = 0; i < size_t(task.iterations); ++i)
      (loop.decide() == 0 ? takenA : takenB)[i] = true;
  }
  Turns turns;
  turns.a = double(std::count(takenA.begin(), takenA.end(), true)) / task.iterations;
  turns.b = double(std::count(takenB.begin(), takenB.end(), true)) / task.iterations;
  return turns;
}

/// Step 2: the turns of one random warp, as the policy's rule alone gives them.
template <class Policy> void addExpected(Turns& sum, Task task, std::mt19937& random) {
  Policy policy;
  const auto decide = [&] { return random() % 100 < task.percent ? 0 : 1; };
  int path[lanesOfWarp], done[lanesOfWarp] = {};
  for (int& mine : path)
    mine = decide();
  for (;;) {
    int least = task.iterations;
    for (const int mine : done)
      least = std::min(least, mine);
    if (least == task.iterations)
      return;
    novak::Wanted<ways> wanted = {};
    for (int lane = 0; lane < lanesOfWarp; ++lane) {
      if (path[lane] == finished)
        continue;
      ++wanted.lanes[path[lane]];
      wanted.laggards[path[lane]] += done[lane] == least;
    }
    const int chosen = policy.pick(wanted);
    ++(chosen == 0 ? sum.a : sum.b);
    for (int lane = 0; lane < lanesOfWarp; ++lane)
      if (path[lane] == chosen)
        path[lane] = ++done[lane] < task.iterations ? decide() : finished;
  }
}

template <class Policy> Turns expectedTurns(Task task, int warps) {
  std::mt19937 random(task.percent);
  Turns sum;
  for (int warp = 0; warp < warps; ++warp)
    addExpected<Policy>(sum, task, random);
  sum.a /= double(warps) * task.iterations;
  sum.b /= double(warps) * task.iterations;
  return sum;
}

Turns expectedNative(Task task) {
  const double p = task.percent / 100.0;
  return {1 - std::pow(1 - p, lanesOfWarp), 1 - std::pow(p, lanesOfWarp)};
}

/// Per iteration, in microseconds.
struct Times {
  double a, b, loop;
};

/// Step 1, what all policies share: one path alone, less the loop alone.
Times calibrate(Bench& bench, Task task) {
  const double perIteration = 1.0 / task.iterations;
  const double loop = perIteration * loopTime(bench, native, {task.iterations, 0, 0});
  const double a = perIteration * loopTime(bench, native, {task.iterations, task.delay, 100});
  const double b = perIteration * loopTime(bench, native, {task.iterations, task.delay, 0});
  study::Row("native")
      .set("experiment", "calibration")
      .set("delay", task.delay)
      .set("tA", a - loop)
      .set("tB", b - loop)
      .set("tL", loop)
      .set("ratio", (a - loop) / loop)
      .set("pathRatio", (a - loop) / (b - loop))
      .print();
  return {a - loop, b - loop, loop};
}

/// Step 1, the policy's own: a turn of paths with no delay, less the loop alone.
double calibrateTurn(Bench& bench, const Subject& subject, Task task, Times times) {
  const double total = loopTime(bench, subject.kernel, {task.iterations, 0, 50});
  const std::vector<int> turns = bench.turns.values();
  const double turn = total / (turns[0] + turns[1]) - times.loop;
  study::Row(subject.name)
      .set("experiment", "turn")
      .set("delay", task.delay)
      .set("tS", turn)
      .set("turnShare", turn / times.loop)
      .print();
  return turn;
}

/// Microseconds per iteration by eq. (3); for the native loop, by eq. (4).
double predict(const Subject& subject, const Turns& turns, const Times& times) {
  if (subject.isNative())
    return times.loop + turns.a * times.a + turns.b * times.b;
  const double overhead = times.loop + subject.turnTime;
  return turns.a * (times.a + overhead) + turns.b * (times.b + overhead);
}

/// The turns of the launch that just ran.
Turns countedTurns(const Bench& bench, const Subject& subject, Task task, int warp) {
  if (subject.isNative())
    return nativeTurns(bench, task, warp);
  const std::vector<int> turns = bench.turns.values();
  return {double(turns[0]) / task.iterations, double(turns[1]) / task.iterations};
}

/// Step 3 for one policy and one p: the mean over the warps, one launch each. Returns the
/// microseconds per iteration.
double compare(Bench& bench, const Subject& subject, Task task, const Times& times,
               const Turns& expected, double nativeTime) {
  Turns counted;
  double time = 0;
  for (int warp = 0; warp < bench.warps; ++warp) {
    time += loopTime(bench, subject.kernel, task, warp) / task.iterations / bench.warps;
    checkResults(bench, subject.name, task, warp);
    const Turns here = countedTurns(bench, subject, task, warp);
    counted.a += here.a / bench.warps;
    counted.b += here.b / bench.warps;
  }
  const double p = task.percent / 100.0;
  const double useful = p * times.a + (1 - p) * times.b + times.loop;
  const double predicted = predict(subject, expected, times);
  const double deviation = predicted / time - 1; // of the efficiencies, useful / time
  const double steps = counted.a + counted.b;
  const double expectedSteps = expected.a + expected.b;
  study::Row(subject.name)
      .set("experiment", "verification")
      .set("p", p)
      .set("iterations", task.iterations)
      .set("delay", task.delay)
      .set("microseconds", time)
      .set("predictedMicroseconds", predicted)
      .set("efficiency", useful / time)
      .set("predictedEfficiency", useful / predicted)
      .set("deviation", deviation)
      .set("distance", std::fabs(deviation))
      .set("countedDistance", std::fabs(predict(subject, counted, times) / time - 1))
      .set("steps", steps)
      .set("expectedSteps", expectedSteps)
      .set("stepsDistance", std::fabs(steps / expectedSteps - 1))
      .set("laneEfficiency", 1 / steps)
      .set("speedup", subject.isNative() ? 1 : nativeTime / time)
      .print();
  return time;
}

template <class Policy>
void comparePolicy(Bench& bench, Task task, const Times& times, const std::vector<double>& natives,
                   int monteCarloWarps) {
  Subject subject = {Policy::name, scheduled<Policy>};
  loopTime(bench, subject.kernel, {1, 1, 50}); // whatever a kernel's first launch brings with it
  subject.turnTime = calibrateTurn(bench, subject, task, times);
  for (size_t point = 0; point < std::size(percents); ++point) {
    task.percent = uint32_t(percents[point]);
    const Turns expected = expectedTurns<Policy>(task, monteCarloWarps);
    compare(bench, subject, task, times, expected, natives[point]);
  }
}

void printRows(Bench& bench, Task task, int monteCarloWarps) {
  const Subject subject = {"native", native};
  loopTime(bench, native, {1, 1, 50});
  const Times times = calibrate(bench, task);
  std::vector<double> natives;
  for (const int percent : percents) {
    task.percent = uint32_t(percent);
    natives.push_back(compare(bench, subject, task, times, expectedNative(task), 0));
  }
  comparePolicy<novak::Alternating<ways>>(bench, task, times, natives, monteCarloWarps);
  comparePolicy<novak::Frequency<ways>>(bench, task, times, natives, monteCarloWarps);
  comparePolicy<novak::Laggard<ways>>(bench, task, times, natives, monteCarloWarps);
  comparePolicy<novak::Aging<ways>>(bench, task, times, natives, monteCarloWarps);
}

/// The policies over the native loop.
void printRecords(Bench& bench, Task task) {
  const auto checked = [&](const char* name, Kernel kernel) -> benchmark::Run {
    launch(bench, kernel, task);
    checkResults(bench, name, task, 0);
    return [&bench, kernel, task](int) { launch(bench, kernel, task); };
  };
  const auto contender = [&](auto policy) -> benchmark::Contender {
    using Policy = decltype(policy);
    return {benchmark::Record("novak-verification")
                .set("policy", Policy::name)
                .set("percent", int(task.percent)),
            checked(Policy::name, scheduled<Policy>)};
  };
  benchmark::compareAll("native", checked("native", native),
                        {contender(novak::Alternating<ways>()), contender(novak::Frequency<ways>()),
                         contender(novak::Laggard<ways>()), contender(novak::Aging<ways>())},
                        bench.repeats);
}

} // namespace

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  Task task = {int(arguments.number("iterations", 1000)), int(arguments.number("delay", 100)), 0};
  const int warps = int(arguments.number("warps", 4));
  const int monteCarloWarps = int(arguments.number("monte-carlo-warps", 64));
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();

  Bench bench(warps, repeats);
  if (!records) {
    printRows(bench, task, monteCarloWarps);
    return 0;
  }
  for (const uint32_t percent : {2u, 10u, 50u, 90u}) {
    task.percent = percent;
    printRecords(bench, task);
  }
}
