// SPDX-License-Identifier: Apache-2.0
//
// Hovland's second experiment: one thread of a warp takes another path than the rest, and that
// thread is each of the 32 in turn. Which one it is makes no difference: the warp runs two paths in
// any case.
//
//   heddle run studies/branch-location/branch-location.cu --device gtx280 -- --iterations 500
#include "../paths.cuh"

constexpr int nobody = -1;

__global__ void divergeOneLane(float* results, int apart, int iterations, int turns) {
  const int lane = threadIdx.x;
  float x = 1.0f;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    x = paths::takeEither(lane == apart, x, turns);
  results[lane] = x;
}

void printRows(paths::Warp& warp, int iterations, int repeats) {
  double undivided = 0;
  for (int apart = nobody; apart < paths::warpLanes; ++apart) {
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

int main(int argc, char** argv) {
  const paths::Settings settings = paths::readSettings(argc, argv);
  const float together = paths::resultOfEither(false, settings.iterations);
  const float alone = paths::resultOfEither(true, settings.iterations);
  paths::Warp warp(divergeOneLane, settings.iterations,
                   [=](int apart, int lane) { return lane == apart ? alone : together; });
  if (settings
          .records) // one divergent thread, at the ends and in the middle of the warp, over none
    paths::printRecords(warp, "branch-location", "lane", "undivided warp", nobody, {0, 15, 31},
                        settings.repeats);
  else
    printRows(warp, settings.iterations, settings.repeats);
}
