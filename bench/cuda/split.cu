// SPDX-License-Identifier: Apache-2.0
//
// Branch splitting against one kernel with both branches, over a random mask with 0 to 50 % of the
// elements in the else-branch: by test, by partition, and by a partition that is there already.
// From which share and which work on splitting pays can be read off the records.
//
// The if-branch is lean: loads, each address from the load before, so that its speed is the number
// of warps in flight. The else-branch is fat: it keeps 96 values in registers, which holds the one
// kernel at a quarter of the warps. Both are as in Carrillo, Siegel and Li's benchmark, where 13
// registers were many.
//
// And the partition alone, against a device copy that reads and writes as much as it must.
//
//   heddle run bench/cuda/split.cu -I cuda/include -- --samples 1 --elements 65536 --steps 4
#include "benchmark.cuh"

#include <heddle/split.cuh>

namespace {

using benchmark::DeviceArray;

constexpr int threads = 256;
constexpr int kept = 96;

__host__ __device__ unsigned scrambled(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

struct Decide {
  const int* mask;
  __device__ int operator()(unsigned i) const { return mask[i]; }
};

/// Follows the table from place to place. Neighbours stay neighbours: a step is 256 places on, and
/// a few more.
struct Lean {
  const unsigned* table;
  float* results;
  unsigned last;
  int steps;

  __host__ __device__ float value(unsigned i) const {
    unsigned place = i;
    float x = 1;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      const unsigned more = table[place];
      x = fmaf(x, 0.5f, static_cast<float>(more));
      place = (place + 256 + more) & last;
    }
    return x;
  }
  __device__ void operator()(unsigned i) const { results[i] = value(i); }
};

/// 24 multiply-adds a step, on values of which all are alive throughout.
struct Fat {
  float* results;
  int steps;

  __host__ __device__ float value(unsigned i) const {
    float values[kept];
    const float x = static_cast<float>(i & 1023) / 4096;
#pragma unroll
    for (int j = 0; j < kept; ++j)
      values[j] = x + static_cast<float>(j);
#pragma unroll 1
    for (int round = 0; round < steps / 4; ++round)
#pragma unroll
      for (int j = 0; j < kept; ++j)
        values[j] = fmaf(values[j], x, values[(j + 1) % kept]);
    float sum = 0;
#pragma unroll
    for (int j = 0; j < kept; ++j)
      sum += values[j];
    return sum;
  }
  __device__ void operator()(unsigned i) const { results[i] = value(i); }
};

__global__ __launch_bounds__(threads) void native(Decide decide, Lean lean, Fat fat, unsigned n) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  if (i < n) {
    if (decide(i) == 0)
      lean(i);
    else
      fat(i);
  }
}

std::vector<int> randomMask(unsigned n, double elseShare) {
  std::vector<int> mask(n);
  for (unsigned i = 0; i < n; ++i)
    mask[i] = scrambled(i + 77) < elseShare * 4294967296.0;
  return mask;
}

std::vector<unsigned> randomTable(unsigned n) {
  std::vector<unsigned> table(n);
  for (unsigned i = 0; i < n; ++i)
    table[i] = scrambled(i) % 4;
  return table;
}

double mixedWarps(const std::vector<int>& mask) {
  size_t mixed = 0;
  for (size_t i = 0; i < mask.size(); i += 32)
    mixed += std::count(mask.begin() + i, mask.begin() + i + 32, 1) % 32 != 0;
  return static_cast<double>(mixed) / static_cast<double>(mask.size() / 32);
}

class SplitBenchmark {
public:
  SplitBenchmark(unsigned n, int samples)
      : n_(n), samples_(samples), hostTable_(randomTable(n)), table_(hostTable_), mask_(n),
        results_(n), workspace_(heddle::partition_bytes<2>(n)) {}

  void measure(double elsePercent, int steps) {
    hostMask_ = randomMask(n_, elsePercent / 100);
    mask_.copyFrom(hostMask_);
    lean_ = {table_.data(), results_.data(), n_ - 1, steps};
    fat_ = {results_.data(), steps};
    const std::vector<benchmark::Run> runs = {
        [&](int) { native<<<n_ / threads, threads>>>(decide(), lean_, fat_, n_); },
        [&](int) { STUDY_CHECK(heddle::split_by_test(cudaStream_t{}, n_, decide(), lean_, fat_)); },
        [&](int) {
          makePartition();
          runPartition();
        },
        [&](int) { runPartition(); },
    };
    makePartition();
    for (const benchmark::Run& run : runs)
      check(run);
    const std::vector<benchmark::Timing> times = benchmark::timeInTurns(runs, samples_);
    const char* forms[] = {"one kernel", "by test", "by partition", "by partition, reused"};
    for (int form = 1; form < 4; ++form)
      benchmark::Record("split")
          .set("form", forms[form])
          .set("elsePercent", elsePercent)
          .set("steps", steps)
          .set("elements", static_cast<long long>(n_))
          .set("mixedWarps", mixedWarps(hostMask_))
          .set("nativeOccupancy", study::residency(native, threads).occupancy)
          .set("leanOccupancy",
               study::residency(heddle::detail::splitting::run_way<Lean>, threads).occupancy)
          .compare(times[form], "one kernel", times[0]);
  }

private:
  Decide decide() { return {mask_.data()}; }
  void makePartition() {
    STUDY_CHECK(
        heddle::make_partition(cudaStream_t{}, n_, decide(), workspace_.data(), partition_));
  }
  void runPartition() {
    STUDY_CHECK(heddle::for_each_way(cudaStream_t{}, partition_, lean_, fat_));
  }
  /// A sample of the results is the host's, bit for bit; every result is there.
  void check(const benchmark::Run& run) {
    results_.fillWithNaN();
    run(0);
    const std::vector<float> found = results_.values();
    Lean lean = lean_;
    lean.table = hostTable_.data();
    for (unsigned i = 0; i < n_; ++i)
      benchmark::require(found[i] == found[i], "element " + std::to_string(i) + " was left out");
    for (unsigned i = 0; i < n_; i += 509)
      benchmark::require(found[i] == (hostMask_[i] == 0 ? lean.value(i) : fat_.value(i)),
                         "element " + std::to_string(i));
  }

  unsigned n_;
  int samples_;
  std::vector<unsigned> hostTable_;
  std::vector<int> hostMask_;
  DeviceArray<unsigned> table_;
  DeviceArray<int> mask_;
  DeviceArray<float> results_;
  DeviceArray<char> workspace_;
  heddle::partition<2> partition_;
  Lean lean_{};
  Fat fat_{};
};

/// A mask of four bytes is read and an index of four bytes is written.
template <int Ways> void measurePartition(unsigned n, int samples) {
  std::vector<int> ways(n);
  for (unsigned i = 0; i < n; ++i)
    ways[i] = static_cast<int>(scrambled(i) % Ways);
  DeviceArray<int> mask(ways), copy(n);
  DeviceArray<char> workspace(heddle::partition_bytes<Ways>(n));
  heddle::partition<Ways> parts;
  const std::vector<benchmark::Timing> times = benchmark::timeInTurns(
      {[&](int) {
         STUDY_CHECK(cudaMemcpyAsync(copy.data(), mask.data(), n * sizeof(int),
                                     cudaMemcpyDeviceToDevice, cudaStream_t{}));
       },
       [&](int) {
         STUDY_CHECK(heddle::make_partition(cudaStream_t{}, n, Decide{mask.data()},
                                            workspace.data(), parts));
       }},
      samples);
  std::vector<unsigned> found(n);
  STUDY_CHECK(
      cudaMemcpy(found.data(), parts.indices, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 1; i < n; ++i)
    benchmark::require(ways[found[i - 1]] < ways[found[i]] ||
                           (ways[found[i - 1]] == ways[found[i]] && found[i - 1] < found[i]),
                       "the partition's order at " + std::to_string(i));
  benchmark::Record("partition")
      .set("ways", Ways)
      .set("elements", static_cast<long long>(n))
      .set("gigabytesPerSecond", 8e-6 * n / times[1].median)
      .compare(times[1], "device copy", times[0]);
}

} // namespace

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const auto n = static_cast<unsigned>(arguments.number("elements", 1 << 22));
  const int samples = static_cast<int>(arguments.number("samples", 21));
  const int most = static_cast<int>(arguments.number("steps", 256));
  arguments.done();
  if ((n & (n - 1)) != 0 || n < threads || n > 1u << 26)
    study::stop(2, "--elements must be a power of two, 256 to 67108864");

  SplitBenchmark split(n, samples);
  for (int steps = 4; steps <= most; steps *= 4)
    for (const double percent : {0, 1, 2, 4, 8, 16, 32, 50})
      split.measure(percent, steps);
  for (const unsigned size : {n / 4, n, n * 16}) {
    measurePartition<2>(size, samples);
    measurePartition<4>(size, samples);
    measurePartition<8>(size, samples);
  }
}
