// RUN: %heddle fix %s --only share-rows --form "8 lanes" --line 21 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// RUN: %heddle fix %s --only share-rows --form "8 lanes" --line 28 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s --check-prefix DOWN
// SPDX-License-Identifier: Apache-2.0
//
// Items that are joined into members, elements and memory, up and down.
#include "../results.cuh"

struct Box {
  int low, high, at[2];
};

__global__ void join(unsigned* out) {
  const unsigned r = threadIdx.x;
  Box box = {1000, -1000, {0, 0}};
  unsigned* mine = out + r;
  *mine = r;
  for (unsigned k = r % 5; k < r; ++k) {
    box.low = min(box.low, int(k * 37 % 101));
    box.high = max(box.high, int(k * 53 % 97));
    box.at[1] += k & 3;
    *mine ^= k * r;
  }
  out[r] += box.low * 7 + box.high + box.at[1];
  for (int k = int(r); k >= 0; k -= 3)
    if (k % 7 == 4) {
      out[r] += k;
      box.at[0]++;
    }
  out[r] += box.at[0];
}

int main() { printResults(join, 2); }

// CHECK:        heddle::share_rows<8>(r % 5, r, heddle::own(r), heddle::min_of(box.low),
// CHECK-NEXT:       heddle::max_of(box.high), heddle::sum(box.at[1]), heddle::bits_xor(*mine),
// CHECK-NEXT:       [&](unsigned k, const unsigned& r, int& boxLow, int& boxHigh, int& part, unsigned int& part2) {
// CHECK-NEXT:     boxLow = min(boxLow, int(k * 37 % 101));
// CHECK-NEXT:     boxHigh = max(boxHigh, int(k * 53 % 97));
// CHECK-NEXT:     part += k & 3;
// CHECK-NEXT:     part2 ^= k * r;
// CHECK-NEXT:   });
// DOWN:        heddle::share_rows<8, -3>(int(r), -1, heddle::sum(out[r], box.at[0]),
// DOWN-NEXT:       [&](int k, unsigned int& part, int& part2) {
// DOWN-NEXT:     if (k % 7 == 4) {
// DOWN-NEXT:       part += k;
// DOWN-NEXT:       part2++;
// DOWN-NEXT:     }
// DOWN-NEXT:   });
