// SPDX-License-Identifier: Apache-2.0
// Threads wait for others in loops whose values change from turn to turn: they read a clock, sleep
// for longer and longer, or count their looks. Whoever they wait for must run soon: another warp,
// another block, other lanes of the warp.
#include "../check.h"

constexpr int mostLooks = 10000000; ///< on a GPU it is some hundred; for ever, in a poor order

/// How often it looked, and for how long.
struct Looks {
  int count = 0;
  long long cycles = 0;
};

__device__ Looks awaitByClock(volatile int* flag, int wanted) {
  Looks looks;
  const long long begin = clock64();
  while (*flag < wanted) {
    ++looks.count;
    looks.cycles = clock64() - begin;
  }
  return looks;
}

__device__ Looks awaitAsleep(volatile int* flag, int wanted) {
  Looks looks;
  for (unsigned ns = 8; *flag < wanted; ns += ns / 8) {
    ++looks.count;
    __nanosleep(ns < 1000 ? ns : 1000 + looks.count % 7);
  }
  return looks;
}

__device__ Looks awaitAndCount(volatile int* flag, int wanted) {
  Looks looks;
  while (*flag < wanted)
    ++looks.count;
  return looks;
}

/// The first warp waits for the second, again and again; and the second for the first.
__global__ void warps(volatile int* flags, int rounds, int* most) {
  const int self = threadIdx.x / 32;
  for (int round = 1; round <= rounds; ++round) {
    if (self == 1)
      flags[1] = round;
    const Looks looks = self == 0 ? awaitByClock(&flags[1], round) : awaitAndCount(&flags[0], round);
    if (self == 0)
      flags[0] = round;
    atomicMax(most, looks.count);
  }
}

/// Each block waits for the next one.
__global__ void blocks(volatile int* flags, int* most) {
  Looks looks;
  if (blockIdx.x + 1 < gridDim.x)
    looks = blockIdx.x % 8 == 0 ? awaitAndCount(&flags[blockIdx.x + 1], 1)
                                : awaitAsleep(&flags[blockIdx.x + 1], 1);
  flags[blockIdx.x] = 1;
  __threadfence();
  atomicMax(most, looks.count);
}

/// Lanes wait for others of their warp, whose path may well be the second one to run.
__global__ void lanes(volatile int* flag, int* most) {
  Looks looks;
  if (threadIdx.x % 2 == 0)
    looks = awaitByClock(flag, 16);
  else
    atomicAdd(const_cast<int*>(flag), 1);
  atomicMax(most, looks.count);
}

int main() {
  DeviceArray<int> flags(64), most(3);
  CHECK_CUDA(cudaMemset(flags, 0, 64 * sizeof(int)));
  CHECK_CUDA(cudaMemset(most, 0, 3 * sizeof(int)));
  warps<<<1, 64>>>(flags, 50, most);
  CHECK_LAUNCH();
  CHECK_CUDA(cudaMemset(flags, 0, 64 * sizeof(int)));
  blocks<<<32, 32>>>(flags, most + 1);
  CHECK_LAUNCH();
  CHECK_CUDA(cudaMemset(flags, 0, 64 * sizeof(int)));
  lanes<<<1, 32>>>(flags, most + 2);
  CHECK_LAUNCH();
  const std::vector<int> looks = most.read();
  expectTrue("warps look " + text(looks[0]) + " times: a few", looks[0] < mostLooks);
  expectTrue("blocks look " + text(looks[1]) + " times: a few", looks[1] < mostLooks);
  expectTrue("lanes look " + text(looks[2]) + " times: a few", looks[2] < mostLooks);
  return finish();
}
