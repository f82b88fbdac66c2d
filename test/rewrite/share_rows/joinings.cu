// RUN: %heddle fix %s --only share-rows --form "4 lanes" --line 27 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Every way of joining at once, own values, and `continue`.
#include "../results.cuh"

__device__ int item(int k) { return int(unsigned(k) * 2654435761u >> 20) % 500; }

struct Row {
  int first, last;
};

__global__ void joinRows(unsigned* out) {
  const int t = int(threadIdx.x);
  Row row = {t * 3, t * 3 + t % 13 * 3};
  const int limit = t * 5;
  int count = 0, sum = 7, low = 1000, high = -1, nearest = 1 << 20, at = -1, lastLow = 400, lastAt = 9;
  unsigned product = 3, any = 0, all = ~0u, odd = 1;
  bool found = false, every = true;
  float least = 1e9f, far = -1;
  int mark = 0;
  if (t == 5)
    return;

  for (int k = row.first; k <= row.last; k++) {
    const int x = item(k);
    if (x % 5 == 0)
      continue;
    if (x > limit)
      ++count;
    sum = sum + x - k;
    product *= unsigned(x | 1);
    any |= unsigned(x);
    all &= unsigned(x) | 1024;
    odd ^= unsigned(x);
    low = min(low, x);
    if (high < x)
      high = x;
    if (abs(x - limit) < nearest && x != 17) {
      nearest = abs(x - limit);
      at = k;
    }
    if (x <= lastLow) {
      lastLow = x;
      lastAt = k;
    }
    found = found || x == 77;
    every &= x != 33;
    least = fminf(least, float(x) * 0.5f);
    far = float(x - row.first) > far ? float(x - row.first) : far;
    if (x > 490)
      mark = 3;
  }
  out[t] = unsigned(count * 3 + sum * 5 + low * 7 + high * 11 + nearest * 13 + at * 17 + lastLow * 19 + lastAt * 23) +
           product + any + all + odd + found + every * 2 + unsigned(least * 29) + unsigned(far * 31) + mark;
}

int main() { printResults(joinRows); }

// CHECK:       heddle::share_rows<4>(row.first, row.last + 1, heddle::own(limit, row), heddle::sum(count, sum),
// CHECK-NEXT:      heddle::product(product), heddle::bits_or(any, found), heddle::bits_and(all, every),
// CHECK-NEXT:      heddle::bits_xor(odd), heddle::min_of(low, least), heddle::max_of(high),
// CHECK-NEXT:      heddle::smallest(nearest, at), heddle::smallest_last(lastLow, lastAt), heddle::largest(far),
// CHECK-NEXT:      heddle::set(mark),
// CHECK-NEXT:      [&](int k, const int& limit, const Row& row, int& count, int& sum, unsigned& product, unsigned& any, bool& found, unsigned& all, bool& every, unsigned& odd, int& low, float& least, int& high, int& nearest, int& at, int& lastLow, int& lastAt, float& far, int& mark) {
// CHECK-NEXT:    const int x = item(k);
// CHECK-NEXT:    if (x % 5 == 0)
// CHECK-NEXT:      return;
