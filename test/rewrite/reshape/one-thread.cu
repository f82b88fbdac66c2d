// RUN: %heddle fix %s --only reshape --form "packs of 128" --line 11 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// One thread a block: its number is the block's, and there is no bound.
#include "../results.cuh"

__device__ unsigned work(unsigned x) { return x * 2654435761u; }

__global__ void apply(unsigned* out) {
  int item = blockIdx.x;
  out[item] = work(item) + blockIdx.x;
}

int main() {
  Words words(300);
  int items = 299;
  apply<<<items, 1>>>(words.out);
  words.print();
}

// CHECK:      __global__ void apply(unsigned* out, unsigned blocks) {
// CHECK-NEXT:   const unsigned block = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:   if (block >= blocks)
// CHECK-NEXT:     return;
// CHECK-NEXT:   int item = block;
// CHECK-NEXT:   out[item] = work(item) + block;
// CHECK:        apply<<<(items + 127) / 128, 128>>>(words.out, items);
