// RUN: %heddle fix %s --only reshape --form "blocks of 256" --line 9 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The kernel has a bound, and the host computes its grid from it.
#include "../results.cuh"

__global__ void square(unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = i * i;
}

int main(int argc, char**) {
  int n = 200 * argc + 101;
  Words words(400);
  const int threads = 48;
  int blocks = (n + threads - 1) / threads;
  square<<<blocks, threads>>>(words.out, n);
  square<<<(n - 2 + 47) / 48, 48>>>(words.out + 50, n - 2);
  words.print();
}

// CHECK:      const int threads = 256;
// CHECK-NEXT: int blocks = (n + threads - 1) / threads;
// CHECK-NEXT: square<<<blocks, threads>>>(words.out, n);
// CHECK-NEXT: square<<<(n - 2 + 255) / 256, 256>>>(words.out + 50, n - 2);
