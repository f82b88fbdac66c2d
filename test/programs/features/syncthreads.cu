// SPDX-License-Identifier: Apache-2.0
// __syncthreads in straight code, in a loop, in a uniform branch, inside a function, from different
// places of the program.
#include "../check.h"

__device__ __noinline__ int exchange(int* slots, int value, int partner) {
  slots[threadIdx.x] = value;
  __syncthreads();
  const int other = slots[partner];
  __syncthreads();
  return other;
}

__global__ void scan(int* out) {
  __shared__ int slots[256];
  const int t = threadIdx.x, n = blockDim.x;
  int sum = t % 7;
  slots[t] = sum;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int other = t >= offset ? slots[t - offset] : 0;
    __syncthreads();
    slots[t] = sum = sum + other;
    __syncthreads();
  }
  if (blockIdx.x % 2) { // the whole block goes one way
    slots[t] = -sum;
    __syncthreads();
    sum = slots[n - 1 - t];
    __syncthreads();
  }
  sum += exchange(slots, sum, (t + 37) % n);
  out[blockIdx.x * n + t] = sum;
}

int main() {
  const int n = 200, blocks = 4;
  DeviceArray<int> out(n * blocks);
  scan<<<blocks, n>>>(out);
  CHECK_LAUNCH();
  std::vector<int> prefix(n);
  for (int t = 0; t < n; ++t)
    prefix[t] = (t ? prefix[t - 1] : 0) + t % 7;
  expectArray("out", out.read(), [&](size_t i) {
    const auto at = [&](int t) { return i / n % 2 ? -prefix[n - 1 - t] : prefix[t]; };
    return at(int(i) % n) + at((int(i) + 37) % n);
  });
  return finish();
}
