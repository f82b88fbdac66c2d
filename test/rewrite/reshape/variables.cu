// RUN: %heddle fix %s --only reshape --form "blocks of 128" --line 9 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Variables that others use, too, stay; the axis of a size counts.
#include "../results.cuh"

__global__ void cube(unsigned* out, int n) {
  const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
  if (n > i && out[i] == 0)
    out[i] = i * i * i;
}

int main(int argc, char**) {
  int n = 300 * argc;
  Words words(300);
  int threads = 20;
  dim3 grid((n + 19) / 20);
  std::printf("%d\n", threads);
  cube<<<grid, threads>>>(words.out, n);
  words.print();
}

// CHECK:      int threads = 20;
// CHECK-NEXT: dim3 grid((n + 127) / 128);
// CHECK:      cube<<<grid, 128>>>(words.out, n);
