// SPDX-License-Identifier: Apache-2.0
//
// Hovland's first experiment: one warp runs a loop whose body is a switch over the thread id. The
// first `branches` threads take a case of their own, the others the default clause; every path is
// as long as every other. A SIMT machine runs the paths one after the other, so time grows by the
// same amount with each further branch.
//
//   heddle run studies/branch-number/branch-number.cu --device gtx280 -- --iterations 200
#include "../paths.cuh"

#define PATH(K)                                                                                    \
  case K:                                                                                          \
    return paths::path<K, 32>(x, turns);
#define FOUR_PATHS(K) PATH(K) PATH(K + 1) PATH(K + 2) PATH(K + 3)
#define SIXTEEN_PATHS(K) FOUR_PATHS(K) FOUR_PATHS(K + 4) FOUR_PATHS(K + 8) FOUR_PATHS(K + 12)

__host__ __device__ float takePath(int which, float x, int turns) {
  switch (which) {
    SIXTEEN_PATHS(0)
    SIXTEEN_PATHS(16)
  default:
    return paths::path<32, 32>(x, turns);
  }
}

__global__ void divergeIntoPaths(float* results, int branches, int iterations, int turns) {
  const int lane = threadIdx.x;
  const int which = lane < branches ? lane : paths::warpLanes;
  float x = 1.0f;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    x = takePath(which, x, turns);
  results[lane] = x;
}

/// Of all paths, the default clause last.
std::vector<float> expectedResults(int iterations) {
  std::vector<float> expected;
  for (int which = 0; which <= paths::warpLanes; ++which)
    expected.push_back(
        paths::resultOf([&](float x) { return takePath(which, x, paths::length); }, iterations));
  return expected;
}

void printRows(paths::Warp& warp, int iterations, int repeats) {
  std::vector<double> pathCounts, cycleCounts;
  for (int branches = 0; branches <= paths::warpLanes; ++branches) {
    const double time = study::microseconds(repeats, [&] { warp.launch(branches); });
    warp.check(branches);

    // With 32 branches nobody is left for the default clause.
    const int paths = std::min(branches + 1, paths::warpLanes);
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

int main(int argc, char** argv) {
  const paths::Settings settings = paths::readSettings(argc, argv);
  const std::vector<float> expected = expectedResults(settings.iterations);
  paths::Warp warp(divergeIntoPaths, settings.iterations, [&](int branches, int lane) {
    return expected[lane < branches ? lane : paths::warpLanes];
  });
  if (settings.records) // some branches over none
    paths::printRecords(warp, "branch-number", "branches", "no branch", 0, {1, 3, 7, 15, 31},
                        settings.repeats);
  else
    printRows(warp, settings.iterations, settings.repeats);
}
