// SPDX-License-Identifier: Apache-2.0
//
// Hovland's third experiment. A multiprocessor of his time runs a warp in four steps of eight
// lanes, and half a warp accesses memory at once. Could eight (or sixteen) neighbours diverge for
// free, as long as they stay together? Four branches taken by groups of eight, and two taken by
// groups of sixteen, each against the same number of threads scattered over the warp: the times are
// equal, so the warp is what diverges.
//
//   heddle run studies/branch-grouping/branch-grouping.cu --device gtx280 -- --iterations 500
#include "../study.cuh"

constexpr int warpLanes = 32;
/// A path is this many turns of eight dependent multiply-adds. The kernel takes the number as an
/// argument: with a constant one a compiler may see that all paths look the same, and make them one
/// path with other constants.
constexpr int length = 4;

template <int K> __host__ __device__ float path(float x, int turns) {
  constexpr float factor = 0.5f + K / 16.0f;
  constexpr float summand = 1.0f + K;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      x = fmaf(x, factor, summand);
  return x;
}

__host__ __device__ float takePath(int which, float x, int turns) {
  switch (which) {
  case 0:
    return path<0>(x, turns);
  case 1:
    return path<1>(x, turns);
  case 2:
    return path<2>(x, turns);
  default:
    return path<3>(x, turns);
  }
}

__global__ void divergeInGroups(float* results, const int* pathOfLane, int iterations, int turns) {
  const int lane = threadIdx.x;
  const int which = pathOfLane[lane];
  float x = 1.0f;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    x = takePath(which, x, turns);
  results[lane] = x;
}

std::vector<int> grouped(int branches) {
  std::vector<int> paths(warpLanes);
  for (int lane = 0; lane < warpLanes; ++lane)
    paths[lane] = lane / (warpLanes / branches);
  return paths;
}

std::vector<int> scattered(int branches) {
  std::vector<int> paths(warpLanes);
  for (int lane = 0; lane < warpLanes; ++lane)
    paths[lane] = lane % branches;
  return paths;
}

float expectedResult(int which, int iterations) {
  float x = 1.0f;
  for (int i = 0; i < iterations; ++i)
    x = takePath(which, x, length);
  return x;
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int iterations = static_cast<int>(arguments.number("iterations", 10000));
  const long long repeats = arguments.number("repeats", 1);
  arguments.done();

  double undivided = 0;
  study::DeviceArray<float> results(warpLanes);
  const auto measure = [&](const char* series, int branches, const std::vector<int>& paths) {
    study::DeviceArray<int> pathOfLane(paths);
    const double time = study::microseconds(repeats, [&] {
      divergeInGroups<<<1, warpLanes>>>(results.data(), pathOfLane.data(), iterations, length);
    });
    const std::vector<float> found = results.values();
    for (int lane = 0; lane < warpLanes; ++lane)
      study::require(found[lane] == expectedResult(paths[lane], iterations),
                     "lane " + std::to_string(lane) + " left its path");
    if (branches == 1)
      undivided = time;
    study::Row(series)
        .set("branches", branches)
        .set("groupSize", warpLanes / branches)
        .set("microseconds", time)
        .set("cycles", time * study::cyclesPerMicrosecond() / iterations)
        .set("relative", time / undivided)
        .print();
  };
  measure("undivided", 1, grouped(1));
  for (const int branches : {2, 4}) {
    measure("grouped", branches, grouped(branches));
    measure("scattered", branches, scattered(branches));
  }
}
