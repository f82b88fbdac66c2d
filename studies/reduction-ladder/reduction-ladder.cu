// SPDX-License-Identifier: Apache-2.0
//
// Gholami's ladder of five reductions, each with the fault of the one before removed: 1 naive
// (`tId % (2 * d)` splits every warp), 2 index based (no split, but bank conflicts), 3 sequential
// addresses (no conflicts, but half the threads never add), 4 the first addition while loading
// (half the blocks), 5 the last warp unrolled (no barriers there). Sums of sums are taken by
// further launches. The kernels are those of heddle/ladder.cuh: their loops run to the end, and the
// unrolled warp waits for its lanes. The printed ones do neither, see reduction-as-printed.
//
// Two experiments: "counts" runs one block and watches each step (split warps, bank conflicts, idle
// threads, barriers); "times" runs 2^from to 2^to elements.
#include "../../bench/cuda/benchmark.cuh"

#include <heddle/ladder.cuh>

#include <cstdint>

namespace {

constexpr int threads = 1024; // a block, as in the document
constexpr int warpLanes = 32;
constexpr int kernels = heddle::ladder::rungs;
constexpr const char* names[kernels] = {"1 naive", "2 index based", "3 sequential addresses",
                                        "4 add while loading", "5 unrolled warp"};

struct Sight {
  int splitWarps;    // warps of which some lanes add and some do not
  int busyWarps;     // warps that add at all
  int conflicts;     // passes over the banks beyond the first
  int worstConflict; // most words of one bank in one access
  int additions;
  int barriers; // that a warp waits at
};

/// Counts for each step what its warp does. Called by whole warps, before the branch.
struct Watching {
  Sight* sight;

  __device__ void step(bool adds, unsigned index) {
    const unsigned adding = __ballot_sync(0xffffffffu, adds);
    int words = 0; // of my bank: lanes never share one
    for (int lane = 0; lane < warpLanes; ++lane)
      words += (adding >> lane & 1) && __shfl_sync(0xffffffffu, index, lane) % 32 == index % 32;
    int most = adds ? words : 0;
    for (int offset = warpLanes / 2; offset > 0; offset /= 2)
      most = max(most, __shfl_xor_sync(0xffffffffu, most, offset));
    if (threadIdx.x % warpLanes != 0 || adding == 0)
      return;
    atomicAdd(&sight->busyWarps, 1);
    atomicAdd(&sight->splitWarps, adding != 0xffffffffu);
    atomicAdd(&sight->conflicts, most - 1);
    atomicMax(&sight->worstConflict, most);
    atomicAdd(&sight->additions, __popc(adding));
  }

  __device__ void barrier() {
    if (threadIdx.x % warpLanes == 0)
      atomicAdd(&sight->barriers, 1);
  }
};

/// What element i holds: small numbers without a pattern that a tree could hide.
__host__ __device__ int element(uint32_t i) {
  return int((i * 2654435761u) >> 28) - 7;
}

__global__ void fill(int* input, unsigned elements) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < elements;
       i += gridDim.x * blockDim.x)
    input[i] = element(i);
}

struct Memory {
  explicit Memory(size_t elements)
      : input(elements), first(elements / threads), second(elements / threads) {}
  study::DeviceArray<int> input;
  study::DeviceArray<int> first, second; // a launch reads one and writes the other
};

/// Launches until one sum is left. Returns where it is.
template <int Number> int* reduceAll(Memory& memory, unsigned elements) {
  int* where = nullptr;
  STUDY_CHECK((heddle::ladder::add<Number, threads>(
      memory.input.data(), elements, {memory.first.data(), memory.second.data()}, &where)));
  return where;
}

void expectSum(const char* name, const int* where, int expected) {
  int found = 0;
  STUDY_CHECK(cudaMemcpy(&found, where, sizeof found, cudaMemcpyDeviceToHost));
  study::require(found == expected, std::string(name) + ": the sum is " + std::to_string(found) +
                                        ", expected " + std::to_string(expected));
}

int expectedSum(unsigned elements) {
  int sum = 0;
  for (unsigned i = 0; i < elements; ++i)
    sum += element(i);
  return sum;
}

/// One block of each kernel, watched.
template <int Number> void countSteps(Memory& memory) {
  const char* name = names[Number - 1];
  const int elements = threads * (Number >= 4 ? 2 : 1);
  study::DeviceArray<Sight> sight(std::vector<Sight>(1));
  int* const sum = memory.first.data();
  heddle::ladder::add_blocks<Number, threads>
      <<<1, threads>>>(memory.input.data(), sum, elements, Watching{sight.data()});
  expectSum(name, sum, expectedSum(elements));
  const Sight seen = sight.values()[0];
  study::Row(name)
      .set("experiment", "counts")
      .set("kernel", Number)
      .set("splitWarps", seen.splitWarps)
      .set("busyWarps", seen.busyWarps)
      .set("conflicts", seen.conflicts)
      .set("worstConflict", seen.worstConflict)
      .set("elementsPerBlock", elements)
      .set("laneUse", double(seen.additions) / (double(warpLanes) * seen.busyWarps))
      .set("barriers", seen.barriers / (threads / warpLanes))
      .print();
}

struct Step {
  const char* name;
  double milliseconds;
};

template <int Number>
Step timeKernel(Memory& memory, unsigned elements, int expected, int repeats) {
  int* where = nullptr;
  const double time =
      study::microseconds(repeats, [&] { where = reduceAll<Number>(memory, elements); });
  expectSum(names[Number - 1], where, expected);
  return {names[Number - 1], time / 1e3};
}

/// All kernels on one size. A step's share of the saving does not depend on what they have in
/// common.
void timeLadder(Memory& memory, int log2, int repeats) {
  const unsigned elements = 1u << log2;
  const int expected = expectedSum(elements);
  const Step steps[kernels] = {timeKernel<1>(memory, elements, expected, repeats),
                               timeKernel<2>(memory, elements, expected, repeats),
                               timeKernel<3>(memory, elements, expected, repeats),
                               timeKernel<4>(memory, elements, expected, repeats),
                               timeKernel<5>(memory, elements, expected, repeats)};
  const double first = steps[0].milliseconds;
  const double saved = first - steps[kernels - 1].milliseconds;
  for (int k = 0; k < kernels; ++k) {
    const double time = steps[k].milliseconds;
    const double before = k == 0 ? time : steps[k - 1].milliseconds;
    study::Row(steps[k].name)
        .set("experiment", "times")
        .set("kernel", k + 1)
        .set("log2", log2)
        .set("elements", int(elements))
        .set("milliseconds", time)
        .set("gigabytesPerSecond", 4e-6 * elements / time)
        .set("stepSpeedup", before / time)
        .set("cumulativeSpeedup", first / time)
        .set("savingShare", (before - time) / saved)
        .print();
  }
}

template <int Number> benchmark::Run checkedRun(Memory& memory, unsigned elements, int expected) {
  expectSum(names[Number - 1], reduceAll<Number>(memory, elements), expected);
  return [&memory, elements](int) { reduceAll<Number>(memory, elements); };
}

/// Each rung over the first.
void recordLadder(Memory& memory, int log2, int samples) {
  const unsigned elements = 1u << log2;
  const int expected = expectedSum(elements);
  const benchmark::Run runs[kernels] = {
      checkedRun<1>(memory, elements, expected), checkedRun<2>(memory, elements, expected),
      checkedRun<3>(memory, elements, expected), checkedRun<4>(memory, elements, expected),
      checkedRun<5>(memory, elements, expected)};
  std::vector<benchmark::Contender> contenders;
  for (int k = 1; k < kernels; ++k)
    contenders.push_back(
        {benchmark::Record("reduction-ladder").set("kernel", names[k]).set("log2", log2), runs[k]});
  benchmark::compareAll(names[0], runs[0], contenders, samples);
}

void countAll(Memory& memory) {
  countSteps<1>(memory);
  countSteps<2>(memory);
  countSteps<3>(memory);
  countSteps<4>(memory);
  countSteps<5>(memory);
}

} // namespace

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int from = int(arguments.number("from", 24));
  const int to = int(arguments.number("to", 25));
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  if (from < 12 || to > 30 || from > to)
    study::stop(2, "--from and --to must be 12 to 30, and from at most to");

  Memory memory(size_t(1) << to);
  fill<<<1024, 256>>>(memory.input.data(), 1u << to);
  STUDY_CHECK(cudaGetLastError());
  if (!records)
    countAll(memory);
  for (int log2 = from; log2 <= to; ++log2)
    if (records)
      recordLadder(memory, log2, repeats);
    else
      timeLadder(memory, log2, repeats);
}
