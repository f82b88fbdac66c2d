// SPDX-License-Identifier: Apache-2.0
//
// The area of the Mandelbrot set by random points, one a thread. Most points escape within a few
// iterations, one in four never does, and a warp iterates until its last lane is done.
//
//   heddle fix examples/06-fractal/fractal.cu
#include "../common.h"
#include <cassert>
#include <heddle/regroup.cuh>

__global__ void escape(const unsigned* seeds, int* counts, int most) {
  int point = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned seed = seeds[point];
  const float cx = -2.0f + 2.5f * uniform(seed);
  const float cy = 1.2f * uniform(seed);
  float x = 0.0f, y = 0.0f;
  int count = 0;
  assert(blockDim.x == 256);
  struct State { int point; float cx; float cy; float x; float y; int count; };
  State state{point, cx, cy, x, y, count};
  heddle::regrouped_loop<256, 1, State, heddle::regroup_when::mixed, 2048>(
      state,
      [&](State& state) {
        auto& [point, cx, cy, x, y, count] = state;
        return count < most && x * x + y * y < 4.0f ? 0 : heddle::done;
      },
      [&](State& state) {
        auto& [point, cx, cy, x, y, count] = state;
        for (int turn = 0; turn < 128 && count < most && x * x + y * y < 4.0f; ++turn) {
          const float next = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = next;
          ++count;
        }
      });
  point = state.point;
  count = state.count;
  counts[point] = count;
}

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 2048;
  const int blocks = 2112, threads = 256, points = blocks * threads;
  const unsigned* seeds = toDevice(makeSeeds(points));
  int* counts = toDevice(std::vector<int>(points));
  escape<<<blocks, threads>>>(seeds, counts, most);
  CHECK(cudaGetLastError());
  const std::vector<int> all = toHost(counts, points);
  int inside = 0;
  for (const int count : all)
    inside += count == most ? 1 : 0;
  printMean("points", all);
  std::printf("area %.4f\n", 2.0 * 2.5 * 1.2 * inside / points);
}
