// SPDX-License-Identifier: Apache-2.0
// goto forwards and backwards, and into the middle of a loop, which makes the loop one of two
// entries.
#include "../check.h"

__host__ __device__ int stateMachine(int x) {
  int steps = 0;
start:
  if (++steps > 60)
    goto end;
  if (x & 1)
    goto odd;
  x = x / 2 + 3;
  if (x % 5 == 0)
    goto end;
  goto start;
odd:
  x = x * 3 - 1;
  if (x > 5000)
    goto shrink;
  goto start;
shrink:
  x %= 997;
  goto odd;
end:
  return x * 100 + steps;
}

__host__ __device__ int twoEntries(int i) {
  int sum = 0, j = 0;
  if (i % 2)
    goto middle;
top:
  sum += 10 * j;
middle:
  sum += i;
  ++j;
  if (j < i % 9 + 2)
    goto top;
  if (i % 3 == 1 && j < 20) {
    j += 4;
    goto middle;
  }
  return sum;
}

__global__ void run(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = stateMachine(i) ^ twoEntries(i);
}

int main() {
  DeviceArray<int> out(320);
  run<<<2, 160>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(),
              [](size_t i) { return stateMachine(int(i)) ^ twoEntries(int(i)); });
  return finish();
}
