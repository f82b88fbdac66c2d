// SPDX-License-Identifier: Apache-2.0
//
// Hovland's first experiment: one warp runs a loop whose body is a switch over the thread id. The
// first `branches` threads take a case of their own, the others the default clause; every path is
// as long as every other. A SIMT machine runs the paths one after the other, so time grows by the
// same amount with each further branch.
//
//   heddle run studies/branch-number/branch-number.cu --device gtx280 -- --iterations 200
#include "../../bench/cuda/benchmark.cuh"

constexpr int warpLanes = 32;
/// A path is this many turns of eight dependent multiply-adds. The kernel takes the number as an
/// argument: with a constant one a compiler may see that all paths look the same, and make them one
/// path with other constants.
constexpr int length = 4;

/// Path K converges to a value of its own, so that the result tells which path a thread took.
template <int K> __host__ __device__ float path(float x, int turns) {
  constexpr float factor = 0.5f + K / 128.0f;
  constexpr float summand = 1.0f + K;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      x = fmaf(x, factor, summand);
  return x;
}

#define PATH(K)                                                                                    \
  case K:                                                                                          \
    return path<K>(x, turns);
#define FOUR_PATHS(K) PATH(K) PATH(K + 1) PATH(K + 2) PATH(K + 3)
#define SIXTEEN_PATHS(K) FOUR_PATHS(K) FOUR_PATHS(K + 4) FOUR_PATHS(K + 8) FOUR_PATHS(K + 12)

__host__ __device__ float takePath(int which, float x, int turns) {
  switch (which) {
    SIXTEEN_PATHS(0)
    SIXTEEN_PATHS(16)
  default:
    return path<32>(x, turns);
  }
}

__global__ void divergeIntoPaths(float* results, int branches, int iterations, int turns) {
  const int lane = threadIdx.x;
  const int which = lane < branches ? lane : warpLanes;
  float x = 1.0f;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    x = takePath(which, x, turns);
  results[lane] = x;
}

/// What a thread must hold that took `which` all the time.
std::vector<float> expectedResults(int iterations) {
  std::vector<float> expected(warpLanes + 1, 1.0f);
  for (int which = 0; which <= warpLanes; ++which)
    for (int i = 0; i < iterations; ++i)
      expected[which] = takePath(which, expected[which], length);
  return expected;
}

class Warp {
public:
  explicit Warp(int iterations)
      : iterations_(iterations), expected_(expectedResults(iterations)), results_(warpLanes) {}
  void launch(int branches) {
    divergeIntoPaths<<<1, warpLanes>>>(results_.data(), branches, iterations_, length);
  }
  /// Holds the results of the last launch against the host's.
  void check(int branches) const {
    const std::vector<float> found = results_.values();
    for (int lane = 0; lane < warpLanes; ++lane)
      study::require(found[lane] == expected_[lane < branches ? lane : warpLanes],
                     "lane " + std::to_string(lane) + " left its path");
  }

private:
  int iterations_;
  std::vector<float> expected_;
  study::DeviceArray<float> results_;
};

void printRows(Warp& warp, int iterations, int repeats) {
  std::vector<double> pathCounts, cycleCounts;
  for (int branches = 0; branches <= warpLanes; ++branches) {
    const double time = study::microseconds(repeats, [&] { warp.launch(branches); });
    warp.check(branches);

    // With 32 branches nobody is left for the default clause.
    const int paths = std::min(branches + 1, warpLanes);
    pathCounts.push_back(paths);
    cycleCounts.push_back(time * study::cyclesPerMicrosecond() / iterations);
    study::Row("divergent branches")
        .set("experiment", "number")
        .set("branches", branches)
        .set("paths", paths)
        .set("microseconds", time)
        .set("cycles", cycleCounts.back())
        .set("relative", cycleCounts.back() / cycleCounts.front())
        .print();
  }
  study::Row("slope")
      .set("experiment", "slope")
      .set("cyclesPerPath", study::slope(pathCounts, cycleCounts))
      .print();
}

/// Some branches over none.
void printRecords(Warp& warp, int samples) {
  const auto checked = [&](int branches) -> benchmark::Run {
    warp.launch(branches);
    warp.check(branches);
    return [&warp, branches](int) { warp.launch(branches); };
  };
  std::vector<benchmark::Contender> contenders;
  for (const int branches : {1, 3, 7, 15, 31})
    contenders.push_back(
        {benchmark::Record("branch-number").set("branches", branches), checked(branches)});
  benchmark::compareAll("no branch", checked(0), contenders, samples);
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
