// RUN: %heddle fix %s --only reshape --form "blocks of 32x8" --line 9 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Small blocks of two axes; the bound is one less than what the grid is computed from.
#include "../results.cuh"

__global__ void add(unsigned* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || x >= width - 1 || y >= height || out[y * width + x] > 9)
    return;
  out[y * width + x] += x + 2 * y;
}

int main(int argc, char**) {
  int width = 30;
  while (width < 40 * argc)
    ++width;
  const int height = 23;
  Words words(width * height);
  dim3 block(5, 5);
  dim3 grid((width + block.x - 1) / block.x, (height + 4) / 5);
  for (int step = 0; step < 3; ++step)
    add<<<grid, block>>>(words.out, width, height);
  words.print();
}

// CHECK:      dim3 block(32, 8);
// CHECK-NEXT: dim3 grid((width + block.x - 1) / block.x, (height + 7) / 8);
// CHECK:      add<<<grid, block>>>(words.out, width, height);
