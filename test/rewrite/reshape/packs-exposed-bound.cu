// RUN: %heddle fix %s --only reshape --form "packs of 4" --line 9 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A function gets the bound by reference, and changes it after the grid was computed from it.
#include "../results.cuh"

__global__ void mark(unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += n;
}

void change(int& n) { n += 40; }

int main(int argc, char**) {
  Words words(700);
  int n = 500 * argc;
  int blocks = (n + 47) / 48;
  change(n);
  mark<<<blocks, 48>>>(words.out, n);
  words.print();
}

// CHECK: mark<<<(blocks + 3) / 4, dim3(48, 4)>>>(words.out, n, blocks);
