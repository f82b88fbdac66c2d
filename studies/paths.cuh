// SPDX-License-Identifier: Apache-2.0
//
// What the studies of one warp on paths of equal length share: the paths, the warp that takes them,
// and the program around it.
#pragma once

#include "../bench/cuda/benchmark.cuh"

#include <functional>

namespace paths {

constexpr int warpLanes = 32;
/// A path is this many turns of eight dependent multiply-adds. Kernels take the number as an
/// argument: with a constant one a compiler may see that all paths look the same, and make them one
/// path with other constants.
constexpr int length = 4;

/// Path K of up to N converges to a value of its own, so that the result tells which one a thread
/// took.
template <int K, int N> __host__ __device__ float path(float x, int turns) {
  constexpr float factor = 0.5f + K / (4.0f * N);
  constexpr float summand = 1.0f + K;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      x = fmaf(x, factor, summand);
  return x;
}

/// One of two paths, which converge to different values.
inline __host__ __device__ float takeEither(bool first, float x, int turns) {
  return first ? path<0, 4>(x, turns) : path<4, 4>(x, turns);
}

/// What a thread must hold that took `path(x)` all the time.
template <class Path> float resultOf(const Path& path, int iterations) {
  float x = 1.0f;
  for (int i = 0; i < iterations; ++i)
    x = path(x);
  return x;
}

inline float resultOfEither(bool first, int iterations) {
  return resultOf([&](float x) { return takeEither(first, x, length); }, iterations);
}

/// One warp, of which a number says who takes which path.
class Warp {
public:
  using Kernel = void (*)(float* results, int choice, int iterations, int turns);
  using Expected = std::function<float(int choice, int lane)>;

  Warp(Kernel kernel, int iterations, Expected expected)
      : kernel_(kernel), iterations_(iterations), expected_(std::move(expected)),
        results_(warpLanes) {}
  void launch(int choice) {
    kernel_<<<1, warpLanes>>>(results_.data(), choice, iterations_, length);
  }
  /// Holds the results of the last launch against the host's.
  void check(int choice) const {
    const std::vector<float> found = results_.values();
    for (int lane = 0; lane < warpLanes; ++lane)
      study::require(found[lane] == expected_(choice, lane),
                     "lane " + std::to_string(lane) + " left its path");
  }

private:
  Kernel kernel_;
  int iterations_;
  Expected expected_;
  study::DeviceArray<float> results_;
};

/// Choices of a warp over the one of which nobody leaves the others.
inline void printRecords(Warp& warp, const char* study, const char* choiceName,
                         const char* baseline, int none, const std::vector<int>& choices,
                         int samples) {
  const auto checked = [&](int choice) -> benchmark::Run {
    warp.launch(choice);
    warp.check(choice);
    return [&warp, choice](int) { warp.launch(choice); };
  };
  std::vector<benchmark::Contender> contenders;
  for (const int choice : choices)
    contenders.push_back({benchmark::Record(study).set(choiceName, choice), checked(choice)});
  benchmark::compareAll(baseline, checked(none), contenders, samples);
}

struct Settings {
  int iterations, repeats;
  bool records; ///< instead of rows
};

inline Settings readSettings(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const Settings settings{static_cast<int>(arguments.number("iterations", 10000)),
                          arguments.repeats(), arguments.records()};
  arguments.done();
  return settings;
}

} // namespace paths
