// SPDX-License-Identifier: Apache-2.0
// Adds the points of game events to the score of one of sixteen teams.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Event {
  unsigned char team;
  unsigned char kind;
  short bonus;
};

__device__ int eventPoints(const Event& e) {
  switch (e.kind) {
    case 0:
      return 1;
    case 1:
      return 3 + e.bonus;
    case 2:
      return -2;
    default:
      return 0;
  }
}

__global__ void score(const Event* events, long long n, int* points) {
  long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  Event e = events[i];
  int p = eventPoints(e);
  if (p != 0) atomicAdd(points + e.team, p);
}

int main(int argc, char** argv) {
  long long n = argc > 1 ? std::atoll(argv[1]) : 3000000;
  std::vector<Event> events(n);
  unsigned s = 11;
  for (Event& e : events) {
    s = s * 1664525u + 1013904223u;
    e.team = (s >> 28) & 15;
    e.kind = (s >> 20) & 3;
    e.bonus = (s >> 10) % 5;
  }
  Event* dEvents;
  int* dPoints;
  cudaMalloc(&dEvents, n * sizeof(Event));
  cudaMalloc(&dPoints, 16 * sizeof(int));
  cudaMemcpy(dEvents, events.data(), n * sizeof(Event), cudaMemcpyHostToDevice);
  cudaMemset(dPoints, 0, 16 * sizeof(int));
  score<<<static_cast<unsigned>((n + 511) / 512), 512>>>(dEvents, n, dPoints);
  int points[16];
  cudaMemcpy(points, dPoints, sizeof(points), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 16; ++t) std::printf("team %2d: %d\n", t, points[t]);
  cudaFree(dEvents);
  cudaFree(dPoints);
  return 0;
}
