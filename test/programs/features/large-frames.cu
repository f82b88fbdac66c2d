// SPDX-License-Identifier: Apache-2.0
// Calls without recursion have the local memory they need: a GPU allows 512 KiB a thread, and
// cudaLimitStackSize counts for recursion only.
#include "../check.h"

__device__ __noinline__ int sumOf(const int* numbers, int count) {
  int copy[8000];
  for (int i = 0; i < 8000; ++i)
    copy[i] = i < count ? numbers[i * 7 % count] : 0;
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += i < 8000 ? copy[i * 3 % 8000] : numbers[i];
  return sum;
}

__global__ void fill(int* out, int count) {
  int numbers[10000];
  for (int i = 0; i < count; ++i)
    numbers[i] = i + threadIdx.x;
  out[threadIdx.x] = sumOf(numbers, count);
}

int main() {
  DeviceArray<int> out(2);
  fill<<<1, 2>>>(out, 8000);
  CHECK_LAUNCH();
  expectArray("sum", out.read(), [](size_t i) { return 7999 * 4000 + 8000 * int(i); });
  return finish();
}
