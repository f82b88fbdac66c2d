// RUN: %heddle fix %s --only refill --form "refilled<2, 16>" --line 16 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// RUN: %heddle fix %s --only refill --form "refilled<2, 16>" --line 27 --block 64,1,1 --unproven > %t.strides
// RUN: %same_results %s %t.strides
// RUN: grep -v CHECK %t.strides.cu | FileCheck-19 %s --check-prefix=STRIDES
// SPDX-License-Identifier: Apache-2.0
//
// Launches get fewer blocks, and the kernel is told how many there were. A loop over items goes by the launch's own number.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned n = i + 1;
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  out[i] = steps;
}

__global__ void applyStrides(unsigned* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    unsigned n = i + 1;
    int steps = 0;
    while (n != 1) {
      n = n % 2 ? 3 * n + 1 : n / 2;
      ++steps;
    }
    out[i] = steps;
  }
}

int main(int argc, char**) {
  Words words(7 * 64 * argc);
  apply<<<7 * argc, 64>>>(words.out);
  words.print();
  Words strides(7 * 64 - 3);
  applyStrides<<<7, 64>>>(strides.out, 7 * 64 - 3);
  strides.print();
}

// CHECK:      __global__ void apply(unsigned* out, unsigned blocks) {
// CHECK:        heddle::refill_tiles<64, 2, 16>(
// CHECK-NEXT:       blocks,
// CHECK:        apply<<<(7 * argc + 1) / 2, 64>>>(words.out, 7 * argc);

// STRIDES:      heddle::refill_items<64, 2, 16>(
// STRIDES:      applyStrides<<<7, 64>>>(
