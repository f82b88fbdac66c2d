// SPDX-License-Identifier: Apache-2.0
// for, while and do-while whose number of turns differs from lane to lane, alone and nested; also
// no turn at all.
#include "../check.h"

__host__ __device__ unsigned work(unsigned i) {
  unsigned sum = 0;
  for (unsigned j = 0; j < i % 37; ++j)
    sum = sum * 33 + j;
  unsigned n = i + 1;
  while (n != 1) { // Collatz
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++sum;
  }
  unsigned d = i;
  do { // at least once, also for 0
    sum += d % 10;
    d /= 10;
  } while (d);
  for (unsigned a = 0; a < i % 5; ++a)
    for (unsigned b = a; b < i % 7; ++b)
      for (int c = int(b); c > int(a); c -= 2)
        sum ^= a * 100 + b * 10 + unsigned(c);
  for (unsigned long long k = i; k < 100; k += 13)
    sum += unsigned(k * k >> 3);
  return sum;
}

__global__ void run(unsigned* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = work(i);
}

int main() {
  const int n = 1500;
  DeviceArray<unsigned> out(n);
  run<<<3, 100>>>(out, n);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return work(unsigned(i)); });
  return finish();
}
