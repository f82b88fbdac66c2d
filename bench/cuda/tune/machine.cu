// SPDX-License-Identifier: Apache-2.0
// Particles that go through four states, with a scheduled loop: a state a turn.
#include "../corpus/common.h"

#include <heddle/schedule.cuh>

__device__ float work(float x, int length) {
#pragma unroll 4
  for (int i = 0; i < length; ++i)
    x = fmaf(x, 0.999f, 0.5f - 0.001f * x);
  return x;
}

__global__ void stepStates(float* out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Random random(i + 1);
  float value = random.uniform();
  int turn = 0;
  heddle::scheduled_loop<heddle::aging, 4>(
      [&] {
        if (turn++ == turns)
          return heddle::done;
        unsigned next = random.next() >> 16;
        return next % 8 < 4 ? 0 : next % 8 < 6 ? 1 : next % 8 < 7 ? 2 : 3;
      },
      [&] { value = work(value, 20); }, [&] { value = work(value + 1, 40); },
      [&] { value = work(value * 0.5f, 80); }, [&] { value = work(2 - value, 120); });
  out[i] = value;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 140000), turns = 16;
  float* out = allocate<float>(n);
  stepStates<<<(n + 255) / 256, 256>>>(out, n, turns);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (float each : got)
    passed &= each > -1000 && each < 1000;
  return verdict(passed);
}
