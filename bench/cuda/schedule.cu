// SPDX-License-Identifier: Apache-2.0
//
// scheduled_loop against the loop as it is, on Novak's two kernels: the verification kernel of
// figure D.1, two paths of equal length, and a loop of four states with the shares and costs of
// table E.2 (6voxels, 90 keV), a unit of cost being 100 dependent multiply-adds. And on two paths
// of 50 to 300 instructions, where a turn's own cost decides: there words are written out.
//
//   --samples N   rounds of measurements; 1 on the engine
//   --small 1     only the loops of ten iterations, which the engine can run in time
#include "benchmark.cuh"

#include <heddle/schedule.cuh>

using namespace benchmark;

namespace {

__device__ unsigned nextRandom(unsigned random) {
  return (0x0019660Du * random + 0x3C6EF35Fu) & 0x00FFFFFFu;
}
__device__ int thisThread() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
unsigned threshold(double share) {
  return static_cast<unsigned>(share * 0x01000000);
}

/// The verification kernel: `delay` turns of a recurrence on either path.
struct Verification {
  const unsigned* seeds;
  unsigned* results;
  int iterations;
  int delay;
  unsigned threshold; ///< of the random numbers that take path A
};

__device__ unsigned delayA(unsigned result, int delay) {
#pragma unroll 1
  for (int i = 0; i < delay; ++i)
    result = 3 * result + 5;
  return result;
}
__device__ unsigned delayB(unsigned result, int delay) {
#pragma unroll 1
  for (int i = 0; i < delay; ++i)
    result = 7 * result - 1;
  return result;
}

__global__ void nativeVerification(Verification task) {
  unsigned random = task.seeds[thisThread()];
  unsigned result = random;
  for (int i = 0; i < task.iterations; ++i) {
    random = nextRandom(random);
    if (random < task.threshold)
      result = delayA(result, task.delay);
    else
      result = delayB(result, task.delay);
  }
  task.results[thisThread()] = result;
}

/// With `Count`, the turns of all warps are added to *turns.
template <class Policy, bool Count>
__global__ void scheduledVerification(Verification task, unsigned long long* turns) {
  unsigned random = task.seeds[thisThread()];
  unsigned result = random;
  int i = 0;
  unsigned long long counted = 0;
  const auto count = [&] {
    if (Count && __ffs(static_cast<int>(__activemask())) - 1 == static_cast<int>(threadIdx.x % 32))
      ++counted;
  };
  heddle::scheduled_loop<Policy, 2>(
      [&] {
        if (i == task.iterations)
          return heddle::done;
        ++i;
        random = nextRandom(random);
        return random < task.threshold ? 0 : 1;
      },
      [&] {
        count();
        result = delayA(result, task.delay);
      },
      [&] {
        count();
        result = delayB(result, task.delay);
      });
  task.results[thisThread()] = result;
  if (Count)
    atomicAdd(turns, counted);
}

/// Four states of table E.2.
struct FourStates {
  const unsigned* seeds;
  float* results;
  int iterations;
  int unit; ///< multiply-adds of a unit of cost
};

template <int State> __device__ float spend(float value, int multiplyAdds) {
#pragma unroll 5
  for (int i = 0; i < multiplyAdds; ++i)
    value = fmaf(value, 1.0f - 0.001f * (State + 1), 0.5f + State);
  return value;
}

__device__ int stateOf(unsigned random) {
  constexpr double all = 0x01000000;
  if (random < static_cast<unsigned>(.18 * all))
    return 0;
  if (random < static_cast<unsigned>((.18 + .59) * all))
    return 1;
  return random < static_cast<unsigned>((.18 + .59 + .02) * all) ? 2 : 3;
}

__global__ void nativeStates(FourStates task) {
  unsigned random = task.seeds[thisThread()];
  float value = 1;
  for (int i = 0; i < task.iterations; ++i) {
    random = nextRandom(random);
    switch (stateOf(random)) {
    case 0:
      value = spend<0>(value, task.unit);
      break;
    case 1:
      value = spend<1>(value, task.unit);
      break;
    case 2:
      value = spend<2>(value, 5 * task.unit);
      break;
    default:
      value = spend<3>(value, 10 * task.unit);
    }
  }
  task.results[thisThread()] = value;
}

template <class Policy> __global__ void scheduledStates(FourStates task) {
  unsigned random = task.seeds[thisThread()];
  float value = 1;
  int i = 0;
  heddle::scheduled_loop<Policy, 4>(
      [&] {
        if (i == task.iterations)
          return heddle::done;
        ++i;
        random = nextRandom(random);
        return stateOf(random);
      },
      [&] { value = spend<0>(value, task.unit); }, [&] { value = spend<1>(value, task.unit); },
      [&] { value = spend<2>(value, 5 * task.unit); },
      [&] { value = spend<3>(value, 10 * task.unit); });
  task.results[thisThread()] = value;
}

/// Two short paths, of `Length` dependent instructions each. They differ in their operations: what
/// differs in constants alone becomes one path with selected constants.
struct ShortPaths {
  const unsigned* seeds;
  float* results;
  int iterations;
  unsigned threshold; ///< of the random numbers that take path A
  float limit;        ///< of a value that ends the loop; none reaches it
};

template <int Length> __device__ float shortA(float value) {
#pragma unroll
  for (int i = 0; i < Length; ++i)
    value = fmaf(value, 0.999f, 0.5f);
  return value;
}
template <int Length> __device__ float shortB(float value) {
#pragma unroll
  for (int i = 0; i < Length; ++i)
    value = i % 2 == 0 ? __fadd_rn(value, 0.25f) : __fmul_rn(value, 0.99f);
  return value;
}

template <int Length> __global__ void nativeShort(ShortPaths task) {
  unsigned random = task.seeds[thisThread()];
  float value = 1e-9f * random;
  for (int i = 0; i < task.iterations; ++i) {
    random = nextRandom(random);
    if (random < task.threshold)
      value = shortA<Length>(value);
    else
      value = shortB<Length>(value);
    if (value > task.limit)
      break;
  }
  task.results[thisThread()] = value;
}

template <class Policy, int Length> __global__ void scheduledShort(ShortPaths task) {
  unsigned random = task.seeds[thisThread()];
  float value = 1e-9f * random;
  int i = 0;
  heddle::scheduled_loop<Policy, 2>(
      [&] {
        if (i == task.iterations)
          return heddle::done;
        random = nextRandom(random);
        return random < task.threshold ? 0 : 1;
      },
      [&] { value = shortA<Length>(value); }, [&] { value = shortB<Length>(value); },
      [&] {
        if (value > task.limit)
          return heddle::flow::leave;
        ++i;
        return heddle::flow::proceed;
      });
  task.results[thisThread()] = value;
}

struct Shape {
  int blocks, threads, samples;
  int all() const { return blocks * threads; }
};

/// A policy's kernel, and the one that counts its turns.
struct Contender {
  const char* policy;
  void (*kernel)(Verification, unsigned long long*);
  void (*counting)(Verification, unsigned long long*);
};
template <class Policy> Contender contender(const char* name) {
  return {name, scheduledVerification<Policy, false>, scheduledVerification<Policy, true>};
}

/// `Word`: the best fixed word for this share.
template <class Word>
void measureVerification(const Shape& shape, int iterations, double share, double bar) {
  DeviceArray<unsigned> seeds(makeSeeds(static_cast<size_t>(shape.all())));
  DeviceArray<unsigned> results(static_cast<size_t>(shape.all()));
  DeviceArray<unsigned long long> turns(1);
  const Verification task{seeds.data(), results.data(), iterations, 100, threshold(share)};
  Verification onePath = task;
  onePath.threshold = 0;
  const std::vector<Contender> contenders = {
      contender<heddle::alternating>("alternating"), contender<Word>("fixed"),
      contender<heddle::frequency>("frequency"), contender<heddle::laggard>("laggard"),
      contender<heddle::aging>("aging")};

  nativeVerification<<<shape.blocks, shape.threads>>>(task);
  const std::vector<unsigned> expected = results.values();
  std::vector<double> turnsOf;
  std::vector<Run> runs = {
      [&](int) { nativeVerification<<<shape.blocks, shape.threads>>>(task); },
      [&](int) { nativeVerification<<<shape.blocks, shape.threads>>>(onePath); }};
  for (const Contender& each : contenders) {
    turns.clear();
    results.clear();
    each.counting<<<shape.blocks, shape.threads>>>(task, turns.data());
    require(results.values() == expected, std::string(each.policy) + " changes the results");
    turnsOf.push_back(static_cast<double>(turns.values()[0]) / (shape.all() / 32) / iterations);
    runs.push_back(
        [&, kernel = each.kernel](int) { kernel<<<shape.blocks, shape.threads>>>(task, nullptr); });
  }
  const std::vector<Timing> times = timeInTurns(runs, shape.samples);
  size_t best = 0;
  const auto record = [&](const char* name, size_t i) {
    return Record(name)
        .set("policy", contenders[i].policy)
        .set("p", share)
        .set("threads", shape.all())
        .set("iterations", iterations)
        .set("turnsPerIteration", turnsOf[i]);
  };
  for (size_t i = 0; i < contenders.size(); ++i) {
    record("scheduled_loop", i).compare(times[i + 2], "native", times[0]);
    best = times[i + 2].median < times[best + 2].median ? i : best;
  }
  record("scheduled_loop, best policy", best).compare(times[best + 2], "native", times[0], bar);
  // What the turns would take if scheduling them took no time.
  Timing limit = times[1];
  limit.median *= turnsOf[best];
  record("scheduled_loop, best policy, limit", best)
      .compare(times[best + 2], "as many turns of one path", limit, bar > 0 ? 0.98 : 0);
}

void measureStates(const Shape& shape, int iterations, double bar) {
  DeviceArray<unsigned> seeds(makeSeeds(static_cast<size_t>(shape.all())));
  DeviceArray<float> results(static_cast<size_t>(shape.all()));
  const FourStates task{seeds.data(), results.data(), iterations, 100};
  const char* names[] = {"alternating", "frequency", "laggard", "aging", "cost_aging"};
  using Kernel = void (*)(FourStates);
  const Kernel kernels[] = {scheduledStates<heddle::alternating>,
                            scheduledStates<heddle::frequency>, scheduledStates<heddle::laggard>,
                            scheduledStates<heddle::aging>,
                            scheduledStates<heddle::cost_aging<1, 1, 5, 10>>};

  nativeStates<<<shape.blocks, shape.threads>>>(task);
  const std::vector<float> expected = results.values();
  std::vector<Run> runs = {[&](int) { nativeStates<<<shape.blocks, shape.threads>>>(task); }};
  for (size_t i = 0; i < std::size(kernels); ++i) {
    results.clear();
    kernels[i]<<<shape.blocks, shape.threads>>>(task);
    require(results.values() == expected, std::string(names[i]) + " changes the results");
    runs.push_back(
        [&, kernel = kernels[i]](int) { kernel<<<shape.blocks, shape.threads>>>(task); });
  }
  const std::vector<Timing> times = timeInTurns(runs, shape.samples);
  for (size_t i = 0; i < std::size(kernels); ++i)
    Record("scheduled_loop, four states")
        .set("policy", names[i])
        .set("threads", shape.all())
        .set("iterations", iterations)
        .compare(times[i + 1], "native", times[0], names[i] == std::string("cost_aging") ? bar : 0);
}

/// `Bar`: of the best policy.
template <int Length> void measureShort(int samples, int iterations, double share, double bar) {
  constexpr int threads = 128, blocks = 200000 / threads;
  DeviceArray<unsigned> seeds(makeSeeds(size_t{blocks} * threads));
  DeviceArray<float> results(size_t{blocks} * threads);
  const ShortPaths task{seeds.data(), results.data(), iterations, threshold(share), 1e9f};
  using heddle::word;
  const char* names[] = {"aging",         "fixed<0, 1, 1, 1>", "word<0, 1>",
                         "word<0, 1, 1>", "word<0, 1, 1, 1>",  "word<0, 1, 1, 0, 1, 1, 1>"};
  using Kernel = void (*)(ShortPaths);
  const Kernel kernels[] = {
      scheduledShort<heddle::aging, Length>,    scheduledShort<heddle::fixed<0, 1, 1, 1>, Length>,
      scheduledShort<word<0, 1>, Length>,       scheduledShort<word<0, 1, 1>, Length>,
      scheduledShort<word<0, 1, 1, 1>, Length>, scheduledShort<word<0, 1, 1, 0, 1, 1, 1>, Length>};
  nativeShort<Length><<<blocks, threads>>>(task);
  const std::vector<float> expected = results.values();
  std::vector<Run> runs = {[&](int) { nativeShort<Length><<<blocks, threads>>>(task); }};
  for (size_t i = 0; i < std::size(kernels); ++i) {
    results.clear();
    kernels[i]<<<blocks, threads>>>(task);
    require(results.values() == expected, std::string(names[i]) + " changes the results");
    runs.push_back([&, kernel = kernels[i]](int) { kernel<<<blocks, threads>>>(task); });
  }
  const std::vector<Timing> times = timeInTurns(runs, samples);
  size_t best = 0;
  const auto record = [&](const char* name, size_t i) {
    return Record(name)
        .set("policy", names[i])
        .set("instructions", Length)
        .set("p", share)
        .set("iterations", iterations);
  };
  for (size_t i = 0; i < std::size(kernels); ++i) {
    record("scheduled_loop, short paths", i).compare(times[i + 1], "native", times[0]);
    best = times[i + 1].median < times[best + 1].median ? i : best;
  }
  record("scheduled_loop, short paths, best", best)
      .compare(times[best + 1], "native", times[0], bar);
}

} // namespace

int main(int count, char** values) {
  study::Arguments arguments(count, values);
  const int samples = static_cast<int>(arguments.number("samples", 21));
  const bool onlySmall = arguments.number("small", 2) == 1;
  arguments.done();

  const Shape shape{4 * study::multiprocessors(), 512, samples};
  for (const int iterations : {200, 10}) {
    if (onlySmall && iterations > 10)
      continue;
    const double asked = iterations > 10 ? 1 : 0; // bars are for loops long enough to settle
    using heddle::fixed;
    measureVerification<fixed<0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>>(shape, iterations, .02, 0);
    measureVerification<fixed<0, 1, 1, 1>>(shape, iterations, .10, asked * 1.34);
    measureVerification<fixed<0, 1, 1>>(shape, iterations, .25, 0);
    measureVerification<fixed<0, 1>>(shape, iterations, .50, asked * 1.24);
    measureStates(shape, iterations, asked * 1.8);
  }
  if (onlySmall)
    return 0;
  measureShort<50>(samples, 40, .12, 0.97);
  measureShort<50>(samples, 200, .12, 1.05);
  measureShort<100>(samples, 200, .12, 1.13);
  measureShort<150>(samples, 40, .12, 1.10);
  measureShort<150>(samples, 200, .12, 1.20);
  measureShort<300>(samples, 200, .12, 1.27);
  measureShort<50>(samples, 200, .50, 0.98);
  measureShort<150>(samples, 40, .50, 1.03);
  measureShort<150>(samples, 200, .50, 1.10);
  measureShort<300>(samples, 200, .50, 1.15);
  return 0;
}
