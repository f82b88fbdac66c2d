// RUN: %heddle fix %s --only reshape --form "packs of 4" --line 10 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The kernel has a bound, but it is not what the grid is computed from, is changed behind that, or may
// be: a grid of whole warps would run threads that never ran.
#include "../results.cuh"

__global__ void mark(unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += n;
}

void change(int& n) { n += 30; }

int main(int argc, char**) {
  Words words(2000);
  int n = 500 * argc;
  mark<<<n / 48, 48>>>(words.out, n);
  int blocks = (n + 47) / 48;
  n += 40;
  mark<<<blocks, 48>>>(words.out, n);
  int others = (n + 47) / 48;
  change(n);
  mark<<<others, 48>>>(words.out, n);
  mark<<<(n + 47) / 48, 48>>>(words.out, n + 9);
  words.print();
}

// CHECK: if (block >= blocks)
// CHECK: mark<<<(n / 48 + 3) / 4, dim3(48, 4)>>>(words.out, n, n / 48);
// CHECK: mark<<<(blocks + 3) / 4, dim3(48, 4)>>>(words.out, n, blocks);
// CHECK: mark<<<(others + 3) / 4, dim3(48, 4)>>>(words.out, n, others);
