// SPDX-License-Identifier: Apache-2.0
//
// Hovland's second experiment: one thread of a warp takes another path than the rest, and that
// thread is each of the 32 in turn. Which one it is makes no difference: the warp runs two paths in
// any case.
//
//   heddle run studies/branch-location/branch-location.cu --device gtx280 -- --iterations 500
#include "../../bench/cuda/benchmark.cuh"

constexpr int warpLanes = 32;
/// A path is this many turns of eight dependent multiply-adds. The kernel takes the number as an
/// argument: with a constant one a compiler may see that all paths look the same, and make them one
/// path with other constants.
constexpr int length = 4;
constexpr int nobody = -1;

/// The two paths converge to different values, so that the result tells which one a thread took.
__host__ __device__ float takePath(bool apart, float x, int turns) {
  if (apart) {
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

__global__ void divergeOneLane(float* results, int apart, int iterations, int turns) {
  const int lane = threadIdx.x;
  float x = 1.0f;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    x = takePath(lane == apart, x, turns);
  results[lane] = x;
}

float expectedResult(bool apart, int iterations) {
  float x = 1.0f;
  for (int i = 0; i < iterations; ++i)
    x = takePath(apart, x, length);
  return x;
}

class Warp {
public:
  explicit Warp(int iterations)
      : iterations_(iterations), together_(expectedResult(false, iterations)),
        alone_(expectedResult(true, iterations)), results_(warpLanes) {}
  void launch(int apart) {
    divergeOneLane<<<1, warpLanes>>>(results_.data(), apart, iterations_, length);
  }
  /// Holds the results of the last launch against the host's.
  void check(int apart) const {
    const std::vector<float> found = results_.values();
    for (int lane = 0; lane < warpLanes; ++lane)
      study::require(found[lane] == (lane == apart ? alone_ : together_),
                     "lane " + std::to_string(lane) + " left its path");
  }

private:
  int iterations_;
  float together_, alone_;
  study::DeviceArray<float> results_;
};

void printRows(Warp& warp, int iterations, int repeats) {
  double undivided = 0;
  for (int apart = nobody; apart < warpLanes; ++apart) {
    const double time = study::microseconds(repeats, [&] { warp.launch(apart); });
    warp.check(apart);
    if (apart == nobody)
      undivided = time;
    study::Row(apart == nobody ? "no divergent thread" : "one divergent thread")
        .set("lane", apart)
        .set("microseconds", time)
        .set("cycles", time * study::cyclesPerMicrosecond() / iterations)
        .set("relative", time / undivided)
        .print();
  }
}

/// One divergent thread, at the ends and in the middle of the warp, over none.
void printRecords(Warp& warp, int samples) {
  const auto checked = [&](int apart) -> benchmark::Run {
    warp.launch(apart);
    warp.check(apart);
    return [&warp, apart](int) { warp.launch(apart); };
  };
  std::vector<benchmark::Contender> contenders;
  for (const int apart : {0, 15, 31})
    contenders.push_back({benchmark::Record("branch-location").set("lane", apart), checked(apart)});
  benchmark::compareAll("undivided warp", checked(nobody), contenders, samples);
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
