// SPDX-License-Identifier: Apache-2.0
// Functions that are called and not inlined, from both sides of a branch and in a loop, and one
// that calls itself to a depth that differs from lane to lane.
#include <cstdio>
#include <vector>

__device__ __noinline__ unsigned mixed(unsigned value, unsigned by) {
  value ^= value >> 16;
  value *= 0x7feb352du + by;
  value ^= value >> 15;
  return value * 0x846ca68bu;
}

__device__ __noinline__ unsigned stepped(unsigned value) {
  while (value % 5 != 0)
    value -= value / 3 + 1;
  return value;
}

__device__ __noinline__ unsigned waysDown(unsigned steps) {
  return steps < 2 ? 1 : waysDown(steps - 1) + waysDown(steps - 2);
}

__global__ void call(unsigned* results, int rounds) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = thread;
  for (int round = 0; round < rounds; ++round)
    if (value % 3 == 0)
      value = mixed(value, round) + stepped(value);
    else
      value = stepped(value + round) * 7 + mixed(thread, value);
  results[thread] = value;
}

__global__ void recurse(unsigned* results) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] = waysDown(thread % 7);
}

unsigned digest(const unsigned* device, int count) {
  std::vector<unsigned> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (const unsigned value : values)
    sum = sum * 31 + value;
  return sum;
}

int main() {
  const int blocks = 16, threads = 128;
  unsigned* results = nullptr;
  cudaMalloc(&results, blocks * threads * sizeof(unsigned));
  call<<<blocks, threads>>>(results, 12);
  printf("%08x\n", digest(results, blocks * threads));
  recurse<<<blocks, threads>>>(results);
  printf("%08x\n", digest(results, blocks * threads));
}
