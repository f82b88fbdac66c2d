// SPDX-License-Identifier: Apache-2.0
//
// Hovland's fourth experiment: 1 to 31 threads of a warp take a branch, the rest the other path.
// How many they are makes no difference, because a path is run for the warp whether one lane wants
// it or many. At 0 and at 32 threads the warp does not diverge at all.
//
//   heddle run studies/branch-size/branch-size.cu --device gtx280 -- --iterations 500
#include "../../bench/cuda/benchmark.cuh"

constexpr int warpLanes = 32;
/// A path is this many turns of eight dependent multiply-adds. The kernel takes the number as an
/// argument: with a constant one a compiler may see that all paths look the same, and make them one
/// path with other constants.
constexpr int length = 4;

/// The two paths converge to different values, so that the result tells which one a thread took.
__host__ __device__ float takePath(bool onBranch, float x, int turns) {
  if (onBranch) {
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
      for (int i = 0; i < 8; ++i)
        x = fmaf(x, 0.50f, 1.0f);
  } else {
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
      for (int i = 0; i < 8; ++i)
        x = fmaf(x, 0.75f, 5.0f);
  }
  return x;
}

__global__ void divergeFirstLanes(float* results, int threadsOnBranch, int iterations, int turns) {
  const int lane = threadIdx.x;
  float x = 1.0f;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    x = takePath(lane < threadsOnBranch, x, turns);
  results[lane] = x;
}

float expectedResult(bool onBranch, int iterations) {
  float x = 1.0f;
  for (int i = 0; i < iterations; ++i)
    x = takePath(onBranch, x, length);
  return x;
}

class Warp {
public:
  explicit Warp(int iterations)
      : iterations_(iterations), branch_(expectedResult(true, iterations)),
        rest_(expectedResult(false, iterations)), results_(warpLanes) {}
  void launch(int threads) {
    divergeFirstLanes<<<1, warpLanes>>>(results_.data(), threads, iterations_, length);
  }
  /// Holds the results of the last launch against the host's.
  void check(int threads) const {
    const std::vector<float> found = results_.values();
    for (int lane = 0; lane < warpLanes; ++lane)
      study::require(found[lane] == (lane < threads ? branch_ : rest_),
                     "lane " + std::to_string(lane) + " left its path");
  }

private:
  int iterations_;
  float branch_, rest_;
  study::DeviceArray<float> results_;
};

void printRows(Warp& warp, int iterations, int repeats) {
  double undivided = 0;
  for (int threads = 0; threads <= warpLanes; ++threads) {
    const double time = study::microseconds(repeats, [&] { warp.launch(threads); });
    warp.check(threads);
    if (threads == 0)
      undivided = time;
    const bool divided = threads > 0 && threads < warpLanes;
    study::Row(divided ? "divided warp" : "undivided warp")
        .set("threads", threads)
        .set("microseconds", time)
        .set("cycles", time * study::cyclesPerMicrosecond() / iterations)
        .set("relative", time / undivided)
        .print();
  }
}

/// Warps with some threads on the branch over one with none.
void printRecords(Warp& warp, int samples) {
  const auto checked = [&](int threads) -> benchmark::Run {
    warp.launch(threads);
    warp.check(threads);
    return [&warp, threads](int) { warp.launch(threads); };
  };
  std::vector<benchmark::Contender> contenders;
  for (const int threads : {1, 8, 16, 31, 32})
    contenders.push_back(
        {benchmark::Record("branch-size").set("threads", threads), checked(threads)});
  benchmark::compareAll("undivided warp", checked(0), contenders, samples);
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int iterations = static_cast<int>(arguments.number("iterations", 10000));
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  Warp warp(iterations);
  if (records)
    printRecords(warp, repeats);
  else
    printRows(warp, iterations, repeats);
}
