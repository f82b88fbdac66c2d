// SPDX-License-Identifier: Apache-2.0
//
// Hovland's third experiment. A multiprocessor of his time runs a warp in four steps of eight
// lanes, and half a warp accesses memory at once. Could eight (or sixteen) neighbours diverge for
// free, as long as they stay together? Four branches taken by groups of eight, and two taken by
// groups of sixteen, each against the same number of threads scattered over the warp: the times are
// equal, so the warp is what diverges.
//
//   heddle run studies/branch-grouping/branch-grouping.cu --device gtx280 -- --iterations 500
#include "../paths.cuh"

using paths::warpLanes;

__host__ __device__ float takePath(int which, float x, int turns) {
  switch (which) {
  case 0:
    return paths::path<0, 4>(x, turns);
  case 1:
    return paths::path<1, 4>(x, turns);
  case 2:
    return paths::path<2, 4>(x, turns);
  default:
    return paths::path<3, 4>(x, turns);
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
  return paths::resultOf([&](float x) { return takePath(which, x, paths::length); }, iterations);
}

/// Lanes that take these paths, and the launches that let them.
class Warp {
public:
  Warp(const std::vector<int>& paths, int iterations)
      : paths_(paths), iterations_(iterations), pathOfLane_(paths), results_(warpLanes) {}
  void launch() {
    divergeInGroups<<<1, warpLanes>>>(results_.data(), pathOfLane_.data(), iterations_,
                                      paths::length);
  }
  /// Holds the results of the last launch against the host's.
  void check() const {
    const std::vector<float> found = results_.values();
    for (int lane = 0; lane < warpLanes; ++lane)
      study::require(found[lane] == expectedResult(paths_[lane], iterations_),
                     "lane " + std::to_string(lane) + " left its path");
  }

private:
  std::vector<int> paths_;
  int iterations_;
  study::DeviceArray<int> pathOfLane_;
  study::DeviceArray<float> results_;
};

void printRows(int iterations, int repeats) {
  double undivided = 0;
  const auto measure = [&](const char* series, int branches, const std::vector<int>& paths) {
    Warp warp(paths, iterations);
    const double time = study::microseconds(repeats, [&] { warp.launch(); });
    warp.check();
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

/// Both ways to diverge over a warp that does not.
void printRecords(int iterations, int samples) {
  Warp undivided(grouped(1), iterations);
  for (const int branches : {2, 4}) {
    Warp together(grouped(branches), iterations), apart(scattered(branches), iterations);
    for (Warp* warp : {&undivided, &together, &apart}) {
      warp->launch();
      warp->check();
    }
    const auto record = [&](const char* lanes) {
      return benchmark::Record("branch-grouping").set("branches", branches).set("lanes", lanes);
    };
    benchmark::compareAll(
        "undivided", [&](int) { undivided.launch(); },
        {{record("grouped"), [&](int) { together.launch(); }},
         {record("scattered"), [&](int) { apart.launch(); }}},
        samples);
  }
}

int main(int argc, char** argv) {
  const paths::Settings settings = paths::readSettings(argc, argv);
  if (settings.records)
    printRecords(settings.iterations, settings.repeats);
  else
    printRows(settings.iterations, settings.repeats);
}
