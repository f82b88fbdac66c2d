// SPDX-License-Identifier: Apache-2.0
//
// Hovland's fourth experiment: 1 to 31 threads of a warp take a branch, the rest the other path.
// How many they are makes no difference, because a path is run for the warp whether one lane wants
// it or many. At 0 and at 32 threads the warp does not diverge at all.
//
//   heddle run studies/branch-size/branch-size.cu --device gtx280 -- --iterations 500
#include "../paths.cuh"

__global__ void divergeFirstLanes(float* results, int threadsOnBranch, int iterations, int turns) {
  const int lane = threadIdx.x;
  float x = 1.0f;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    x = paths::takeEither(lane < threadsOnBranch, x, turns);
  results[lane] = x;
}

void printRows(paths::Warp& warp, int iterations, int repeats) {
  double undivided = 0;
  for (int threads = 0; threads <= paths::warpLanes; ++threads) {
    const double time = study::microseconds(repeats, [&] { warp.launch(threads); });
    warp.check(threads);
    if (threads == 0)
      undivided = time;
    const bool divided = threads > 0 && threads < paths::warpLanes;
    study::Row(divided ? "divided warp" : "undivided warp")
        .set("threads", threads)
        .set("microseconds", time)
        .set("cycles", time * study::cyclesPerMicrosecond() / iterations)
        .set("relative", time / undivided)
        .print();
  }
}

int main(int argc, char** argv) {
  const paths::Settings settings = paths::readSettings(argc, argv);
  const float branch = paths::resultOfEither(true, settings.iterations);
  const float rest = paths::resultOfEither(false, settings.iterations);
  paths::Warp warp(divergeFirstLanes, settings.iterations,
                   [=](int threads, int lane) { return lane < threads ? branch : rest; });
  if (settings.records) // warps with some threads on the branch over one with none
    paths::printRecords(warp, "branch-size", "threads", "undivided warp", 0, {1, 8, 16, 31, 32},
                        settings.repeats);
  else
    printRows(warp, settings.iterations, settings.repeats);
}
