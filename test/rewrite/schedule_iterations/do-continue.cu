// RUN: %heddle fix %s --only schedule-iterations --line 15 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// RUN: cp %s %t.cu && patch -s %t.cu %t.diff
// RUN: %heddle run --quiet %s > %t.before && %heddle run --quiet %t.cu > %t.after && diff %t.before %t.after
// SPDX-License-Identifier: Apache-2.0
//
// A `continue` in front of the branch of a do loop asks the loop's condition before the next turn begins.
#include <cstdio>

__global__ void kernel(int* out, int n) {
  int x = threadIdx.x, i = 0;
  do {
    x ^= i;
    if (x & 1)
      continue;
    if (x & 2)
      x += 3;
    else
      x *= 5;
  } while (++i < n);
  out[threadIdx.x] = x;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  kernel<<<1, 64>>>(out, 9);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d\n", out[i]);
}

// CHECK:      +  heddle::scheduled_loop<heddle::aging, 2>(
// CHECK-NEXT: +      [&] {
// CHECK-NEXT: +        do {
// CHECK-NEXT: +          x ^= i;
// CHECK-NEXT: +          if (x & 1)
// CHECK-NEXT: +            continue;
// CHECK-NEXT: +          return x & 2 ? 0 : 1;
// CHECK-NEXT: +        } while (++i < n);
// CHECK-NEXT: +        return heddle::done;
// CHECK-NEXT: +      },
