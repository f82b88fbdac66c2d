// SPDX-License-Identifier: Apache-2.0
// Neutrons in a slab: they fly, scatter, are absorbed or leave; tallies by atomics.
#include "common.h"

struct Tally {
  unsigned absorbed, reflected, through, collisions;
};

__host__ __device__ int follow(unsigned seed, unsigned* collisions) {
  Random random(seed + 77);
  int x = 0, direction = 1;
  for (;;) {
    int flight = 1;
    while ((random.next() & 3) != 0)
      ++flight;
    x += direction * flight;
    if (x < 0)
      return 1;
    if (x >= 40)
      return 2;
    ++*collisions;
    unsigned what = random.next() >> 24;
    if (what < 40)
      return 0;
    if (what < 150)
      direction = -direction;
  }
}

__global__ void transportNeutrons(Tally* tally, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned collisions = 0;
  int end = follow(i, &collisions);
  if (end == 0)
    atomicAdd(&tally->absorbed, 1u);
  else if (end == 1)
    atomicAdd(&tally->reflected, 1u);
  else
    atomicAdd(&tally->through, 1u);
  atomicAdd(&tally->collisions, collisions);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 8192);
  Tally* tally = allocate<Tally>(1);
  transportNeutrons<<<(n + 127) / 128, 128>>>(tally, n);
  Tally got = download(tally, 1)[0], want = {};
  for (int i = 0; i < n; ++i) {
    int end = follow(i, &want.collisions);
    ++(end == 0 ? want.absorbed : end == 1 ? want.reflected : want.through);
  }
  printf("absorbed %u, reflected %u, through %u\n", got.absorbed, got.reflected, got.through);
  return verdict(got.absorbed == want.absorbed && got.reflected == want.reflected &&
                 got.through == want.through && got.collisions == want.collisions);
}
