// SPDX-License-Identifier: Apache-2.0
// Read-modify-write loops over atomicCAS: float maximum, product, double addition, a bounded
// counter, a 16-bit sum.
#include <algorithm>

#include "../check.h"

__device__ float atomicMaxFloat(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value)
      break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ double addByCas(double* address, double value) {
  unsigned long long* bits = (unsigned long long*)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ bool takeTicket(unsigned* counter, unsigned limit) {
  for (unsigned seen = *(volatile unsigned*)counter; seen < limit;) {
    const unsigned before = atomicCAS(counter, seen, seen + 1);
    if (before == seen)
      return true;
    seen = before;
  }
  return false;
}

__global__ void run(const float* in, float* largest, double* sum, unsigned* counter, int* winners,
                    unsigned* product, unsigned* halves) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMaxFloat(largest, in[i]);
  addByCas(sum, in[i]);
  winners[i] = takeTicket(counter, 100);
  for (unsigned old = *product, seen;; old = seen) {
    seen = atomicCAS(product, old, old * 3u);
    if (seen == old)
      break;
  }
  const int shift = i % 2 * 16; // one half of the word, the other stays
  unsigned old = halves[0], seen;
  do {
    seen = old;
    const unsigned half = ((seen >> shift) + 5u) & 0xffffu;
    old = atomicCAS(halves, seen, (seen & ~(0xffffu << shift)) | half << shift);
  } while (old != seen);
}

int main() {
  const int n = 512;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = float((i * 7919) % 4099) * 0.5f - 900.0f;
  DeviceArray<float> device(in), largest(std::vector<float>{-1e30f});
  DeviceArray<double> sum(std::vector<double>{0.0});
  DeviceArray<unsigned> counter(std::vector<unsigned>{0}), product(std::vector<unsigned>{1}),
      halves(std::vector<unsigned>{0xfff0u});
  DeviceArray<int> winners(n);
  run<<<4, 128>>>(device, largest, sum, counter, winners, product, halves);
  CHECK_LAUNCH();
  double total = 0;
  unsigned power = 1;
  int won = 0;
  for (int i = 0; i < n; ++i)
    total += in[i], power *= 3;
  for (int one : winners.read())
    won += one;
  expectEqual("largest", largest.read()[0], *std::max_element(in.begin(), in.end()));
  expectEqual("sum", sum.read()[0], total);
  expectEqual("counter", counter.read()[0], 100u);
  expectEqual("winners", won, 100);
  expectEqual("product", product.read()[0], power);
  const unsigned low = (0xfff0u + 5u * n / 2) & 0xffffu, high = 5u * n / 2;
  expectEqual("halves", halves.read()[0], high << 16 | low);
  return finish();
}
