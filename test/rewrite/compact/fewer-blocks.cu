// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 21 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 31 --block 16,8,1 --unproven > %t.at
// RUN: %same_results %s %t.at
// RUN: grep -v CHECK %t.at.cu | FileCheck-19 %s --check-prefix=AT
// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 40 --block 64,1,1 --unproven > %t.grid
// RUN: %same_results %s %t.grid
// RUN: grep -v CHECK %t.grid.cu | FileCheck-19 %s --check-prefix=GRID
// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 51 --block 64,1,1 --unproven > %t.front
// RUN: %same_results %s %t.front
// RUN: grep -v CHECK %t.front.cu | FileCheck-19 %s --check-prefix=FRONT
// SPDX-License-Identifier: Apache-2.0
//
// Launches get fewer blocks, and the kernel is told how many there were: it has no other bound. Where it asks for their number, or each
// block leaves something in memory before the guard, the launch stays.
#include "../results.cuh"

__global__ void apply(unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 9 != 4)
    return;
  for (int k = 0; k < 20; ++k)
    out[i] = out[i] * 5 + k;
}

__global__ void applyAt(unsigned* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int start = y * width + x;
  if (start % 9 != 4)
    return;
  for (int k = 0; k < 20; ++k)
    out[start] = out[start] * 5 + k;
}

__global__ void applyGrid(unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned all = gridDim.x;
  if (i % 9 != 4)
    return;
  for (int k = 0; k < 20; ++k)
    out[i] = out[i] * 5 + k + all;
}

__global__ void applyFront(unsigned* out) {
  if (threadIdx.x == 0)
    atomicAdd(&out[7 * 64], 1);
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 9 != 4)
    return;
  for (int k = 0; k < 20; ++k)
    out[i] = out[i] * 5 + k;
}

int main(int argc, char**) {
  Words words(7 * 64 * argc);
  apply<<<7 * argc, 64>>>(words.out);
  words.print();
  Words tiles(5 * 16 * 3 * 8);
  dim3 grid(5, 3);
  applyAt<<<grid, dim3(16, 8)>>>(tiles.out, 5 * 16);
  tiles.print();
  Words asked(7 * 64);
  applyGrid<<<7, 64>>>(asked.out);
  asked.print();
  Words left(7 * 64 + 1);
  applyFront<<<7, 64>>>(left.out);
  left.print();
}

// CHECK:      __global__ void apply(unsigned* out, unsigned blocks) {
// CHECK-NEXT:   heddle::compact_tiles<64, 4>(
// CHECK-NEXT:       blocks,
// CHECK-NEXT:       [&](int i) { return i % 9 == 4; },
// CHECK:      apply<<<(7 * argc + 3) / 4, 64>>>(words.out, 7 * argc);

// AT:         __global__ void applyAt(unsigned* out, int width, dim3 blocks) {
// AT-NEXT:      heddle::compact_tiles_at<16, 8, 1, 4>(
// AT-NEXT:          blocks,
// AT:         applyAt<<<dim3((grid.x + 3) / 4, grid.y, grid.z), dim3(16, 8)>>>(tiles.out, 5 * 16, grid);

// GRID:       __global__ void applyGrid(unsigned* out) {
// GRID:         heddle::compact_tiles<64, 4>(
// GRID-NEXT:        [&](int i)
// GRID:       applyGrid<<<7, 64>>>(asked.out);

// FRONT:      __global__ void applyFront(unsigned* out) {
// FRONT:        heddle::compact_tiles<64, 4>(
// FRONT-NEXT:       [&](int i)
// FRONT:      applyFront<<<7, 64>>>(left.out);
