// SPDX-License-Identifier: Apache-2.0
//
// How many warps a multiprocessor needs before it never waits. A chain of dependent multiply-adds
// waits for the arithmetic latency at every instruction: on the lecture's devices about 24 cycles
// at 4 cycles an instruction, hidden by 6 warps or 192 threads. A chain of loads waits for memory,
// and wants far more. Every multiprocessor gets the same number of warps; time per element falls
// with them until the latency is hidden. Its records divide the same work among the warps instead.
//
//   heddle run studies/latency-hiding/latency-hiding.cu --device 8800gtx -- --rounds 8
#include "../../bench/cuda/benchmark.cuh"

constexpr int warpLanes = 32;
constexpr int perRound = 32; // elements of a chain: multiply-adds or loads

__host__ __device__ float arithmetic(float x, int rounds) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < perRound; ++i)
      x = fmaf(x, 0.5f, 1.0f);
  return x;
}

__global__ void dependentArithmetic(float* results, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] = arithmetic(static_cast<float>(thread), rounds);
}

/// Each load gives the place of the next one. The threads of a warp read neighbours, so that a load
/// is one coalesced access, and no two warps read the same places.
__global__ void dependentLoads(int* results, const int* next, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int place = thread;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll 4
    for (int i = 0; i < perRound; ++i)
      place = next[place];
  results[thread] = place;
}

/// Warps on every multiprocessor, as one block or as two where a block cannot hold them.
struct Crew {
  int blocks, threads;
};
Crew crewOf(int warps, int largestBlock) {
  const int perMultiprocessor = warps * warpLanes <= largestBlock ? 1 : 2;
  return {perMultiprocessor * study::multiprocessors(), warps * warpLanes / perMultiprocessor};
}

template <class Kernel> bool fits(Kernel kernel, const Crew& crew) {
  return study::residency(kernel, crew.threads).blocks * study::multiprocessors() >= crew.blocks;
}

void print(const char* kind, int warps, double microseconds, int elements) {
  const double perElement = microseconds * study::cyclesPerMicrosecond() / elements;
  study::Row(kind)
      .set("warps", warps)
      .set("threads", warps * warpLanes)
      .set("cyclesPerElement", perElement) // what one warp waits for one element of its threads
      .set("cyclesPerWarpElement", perElement / warps)
      .print();
}

void measureArithmetic(const Crew& crew, int warps, int rounds, int repeats) {
  study::DeviceArray<float> results(static_cast<size_t>(crew.blocks) * crew.threads);
  const double time = study::workMicroseconds(
      repeats, [&] { dependentArithmetic<<<crew.blocks, crew.threads>>>(results.data(), rounds); });
  const std::vector<float> found = results.values();
  for (size_t i = 0; i < found.size(); ++i)
    study::require(found[i] == arithmetic(static_cast<float>(i), rounds),
                   "arithmetic, thread " + std::to_string(i));
  print("arithmetic", warps, time, rounds * perRound);
}

/// A ring for each thread: place p leads to the same thread's place in the next of `rows` rows.
std::vector<int> rings(int threads, int rows) {
  std::vector<int> next(static_cast<size_t>(threads) * rows);
  for (size_t place = 0; place < next.size(); ++place)
    next[place] = static_cast<int>((place + threads) % next.size());
  return next;
}

void measureLoads(const Crew& crew, int warps, int rounds, int rows, int repeats) {
  const int threads = crew.blocks * crew.threads;
  study::DeviceArray<int> next(rings(threads, rows)), results(threads);
  const double time = study::workMicroseconds(repeats, [&] {
    dependentLoads<<<crew.blocks, crew.threads>>>(results.data(), next.data(), rounds);
  });
  const std::vector<int> found = results.values();
  for (int i = 0; i < threads; ++i)
    study::require(found[i] == rounds * perRound % rows * threads + i,
                   "loads, thread " + std::to_string(i));
  print("global memory", warps, time, rounds * perRound);
}

/// The same number of multiply-adds, whatever the number of warps that share it.
class SharedArithmetic {
public:
  static constexpr const char* name = "arithmetic";
  SharedArithmetic(int warps, const Crew& crew)
      : rounds_(16384 / warps), crew_(crew),
        results_(static_cast<size_t>(crew.blocks) * crew.threads) {}
  void launch() { dependentArithmetic<<<crew_.blocks, crew_.threads>>>(results_.data(), rounds_); }
  void check() const {
    const std::vector<float> found = results_.values();
    for (size_t i = 0; i < found.size(); i += 61)
      study::require(found[i] == arithmetic(static_cast<float>(i), rounds_),
                     "shared arithmetic, thread " + std::to_string(i));
  }

private:
  int rounds_;
  Crew crew_;
  study::DeviceArray<float> results_;
};

/// The same number of loads. Every thread goes once round its ring, so that no cache helps it.
class SharedLoads {
public:
  static constexpr const char* name = "global memory";
  SharedLoads(int warps, const Crew& crew)
      : rounds_(512 / warps), crew_(crew),
        next_(rings(crew.blocks * crew.threads, rounds_ * perRound)),
        results_(static_cast<size_t>(crew.blocks) * crew.threads) {}
  void launch() {
    dependentLoads<<<crew_.blocks, crew_.threads>>>(results_.data(), next_.data(), rounds_);
  }
  void check() const {
    const std::vector<int> found = results_.values();
    for (size_t i = 0; i < found.size(); ++i)
      study::require(found[i] == static_cast<int>(i), "shared loads, thread " + std::to_string(i));
  }

private:
  int rounds_;
  Crew crew_;
  study::DeviceArray<int> next_, results_;
};

/// Work shared by several warps of every multiprocessor over one warp that does it alone.
template <class Share> void printRecords(int largestBlock, int samples) {
  Share alone(1, crewOf(1, largestBlock));
  for (const int warps : {2, 4, 8, 16, 32}) {
    Share share(warps, crewOf(warps, largestBlock));
    benchmark::compareAll(
        "one warp", [&](int) { alone.launch(); },
        {{benchmark::Record("latency-hiding").set("chain", Share::name).set("warps", warps),
          [&](int) { share.launch(); }}},
        samples);
    share.check();
  }
}

void printRows(int largestBlock, int rounds, int rows, int repeats) {
  const int most = study::deviceAttribute(cudaDevAttrMaxThreadsPerMultiProcessor) / warpLanes;
  for (const int warps : {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64}) {
    const Crew crew = crewOf(warps, largestBlock);
    if (warps > most || crew.threads > largestBlock)
      break;
    if (fits(dependentArithmetic, crew))
      measureArithmetic(crew, warps, rounds, repeats);
    if (fits(dependentLoads, crew))
      measureLoads(crew, warps, rounds, rows, repeats);
  }
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int rounds = static_cast<int>(arguments.number("rounds", 32));
  const int rows = static_cast<int>(arguments.number("rows", 256));
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();

  const int largestBlock = study::deviceAttribute(cudaDevAttrMaxThreadsPerBlock);
  if (records) {
    printRecords<SharedArithmetic>(largestBlock, repeats);
    printRecords<SharedLoads>(largestBlock, repeats);
  } else {
    printRows(largestBlock, rounds, rows, repeats);
  }
}
