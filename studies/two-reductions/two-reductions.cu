// SPDX-License-Identifier: Apache-2.0
//
// The lecture's two reductions in shared memory. The simple one adds neighbours first, so that the
// threads that still work lie ever further apart and every warp diverges; the better one adds
// halves, so that they stay together. Ballots count in every step the warps that still work, and
// those of them that diverge.
//
// The better loop is printed in the lecture with two slips, `stride >> 1` that assigns nothing and
// a first stride that reaches behind the array; here it starts at half the block and halves the
// stride.
//
//   heddle run studies/two-reductions/two-reductions.cu --device 8800gtx -- --blocks 64
#include "../../bench/cuda/benchmark.cuh"

constexpr int blockSize = 512;
constexpr int steps = 9; // log2 of the block size
constexpr int warpLanes = 32;

struct Counts {
  int workingWarps[steps], divergentWarps[steps], workingThreads[steps];
};

/// Called by the whole block: adds one step of one warp to the account.
__device__ void count(Counts* counts, int step, bool works) {
  const unsigned workers = __ballot_sync(0xffffffffu, works);
  if (threadIdx.x % warpLanes != 0 || workers == 0)
    return;
  atomicAdd(&counts->workingWarps[step], 1);
  atomicAdd(&counts->workingThreads[step], __popc(workers));
  if (workers != 0xffffffffu)
    atomicAdd(&counts->divergentWarps[step], 1);
}

template <bool Counting>
__global__ void simpleReduction(const float* in, float* sums, Counts* counts) {
  __shared__ float partialSum[blockSize];
  const unsigned t = threadIdx.x;
  partialSum[t] = in[blockIdx.x * blockSize + t];
  const unsigned two = blockDim.y + 1; // so that every compiler divides, as the printed code does
  int step = 0;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (Counting)
      count(counts, step++, t % (two * stride) == 0);
    if (t % (two * stride) == 0)
      partialSum[t] += partialSum[t + stride];
  }
  if (t == 0)
    sums[blockIdx.x] = partialSum[0];
}

template <bool Counting>
__global__ void betterReduction(const float* in, float* sums, Counts* counts) {
  __shared__ float partialSum[blockSize];
  const unsigned t = threadIdx.x;
  partialSum[t] = in[blockIdx.x * blockSize + t];
  int step = 0;
  for (unsigned stride = blockDim.x / 2; stride >= 1; stride >>= 1) {
    __syncthreads();
    if (Counting)
      count(counts, step++, t < stride);
    if (t < stride)
      partialSum[t] += partialSum[t + stride];
  }
  if (t == 0)
    sums[blockIdx.x] = partialSum[0];
}

/// Whole numbers so small that every partial sum is exact, whatever the order.
std::vector<float> smallIntegers(size_t count) {
  std::vector<float> values(count);
  unsigned state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 26);
  }
  return values;
}

void compareSums(const std::vector<float>& in, const std::vector<float>& sums, const char* name) {
  for (size_t block = 0; block < sums.size(); ++block) {
    double expected = 0;
    for (size_t i = 0; i < blockSize; ++i)
      expected += in[block * blockSize + i];
    study::require(sums[block] == expected, std::string(name) + ", block " + std::to_string(block));
  }
}

struct Sizes {
  int blocks;
  int repeats;
};

template <class Kernel>
void measure(const char* name, Kernel timed, Kernel counting, const std::vector<float>& in,
             const Sizes& sizes) {
  study::DeviceArray<float> input(in), sums(sizes.blocks);
  study::DeviceArray<Counts> counts(1);
  const double time = study::microseconds(sizes.repeats, [&] {
    timed<<<sizes.blocks, blockSize>>>(input.data(), sums.data(), nullptr);
  });
  compareSums(in, sums.values(), name);
  counts.clear();
  counting<<<1, blockSize>>>(input.data(), sums.data(), counts.data());
  const Counts counted = counts.values()[0];

  int workingTotal = 0, divergentTotal = 0, threadTotal = 0;
  for (int step = 0; step < steps; ++step) {
    workingTotal += counted.workingWarps[step];
    divergentTotal += counted.divergentWarps[step];
    threadTotal += counted.workingThreads[step];
    study::Row(name)
        .set("experiment", "step")
        .set("step", step + 1)
        .set("workingWarps", counted.workingWarps[step])
        .set("divergentWarps", counted.divergentWarps[step])
        .set("workingThreads", counted.workingThreads[step])
        .set("workingShare", counted.workingThreads[step] / static_cast<double>(blockSize))
        .print();
  }
  study::Row(name)
      .set("experiment", "whole")
      .set("blocks", sizes.blocks)
      .set("microseconds", time)
      .set("workingWarpSteps", workingTotal)
      .set("divergentWarpSteps", divergentTotal)
      .set("meanWorkingShare", threadTotal / static_cast<double>(steps * blockSize))
      .print();
}

void printRecords(const std::vector<float>& in, const Sizes& sizes) {
  study::DeviceArray<float> input(in), simple(sizes.blocks), better(sizes.blocks);
  benchmark::compareAll(
      "simple",
      [&](int) {
        simpleReduction<false><<<sizes.blocks, blockSize>>>(input.data(), simple.data(), nullptr);
      },
      {{benchmark::Record("two-reductions").set("blocks", sizes.blocks),
        [&](int) {
          betterReduction<false><<<sizes.blocks, blockSize>>>(input.data(), better.data(), nullptr);
        }}},
      sizes.repeats);
  compareSums(in, simple.values(), "simple");
  compareSums(in, better.values(), "better");
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  Sizes sizes{};
  sizes.blocks = static_cast<int>(arguments.number("blocks", 65536));
  sizes.repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  const std::vector<float> in = smallIntegers(static_cast<size_t>(sizes.blocks) * blockSize);
  if (records) {
    printRecords(in, sizes);
    return 0;
  }
  measure("simple", simpleReduction<false>, simpleReduction<true>, in, sizes);
  measure("better", betterReduction<false>, betterReduction<true>, in, sizes);
}
