// RUN: %heddle fix %s --only compact --form "tiles of 4" --line 17 --block 16,8,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Rows and columns: the functions' parameters hide CUDA's names. In a template a comparison may be one of floats, where NaN is
// neither below nor above.
#include "../results.cuh"

template <class T>
__global__ void apply(unsigned* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 45 || y >= 20)
    return;
  const T here = T(x * y % 10);
  if (here < 7)
    return;
  out[y * 48 + x] = unsigned(here) + x;
}

int main() {
  printResults(apply<float>, dim3(3, 3), dim3(16, 8));
  printResults(apply<int>, dim3(3, 3), dim3(16, 8));
}

// CHECK:        heddle::compact_tiles_at<16, 8, 1, 4>(
// CHECK-NEXT:       [&](uint3 blockIdx, uint3 threadIdx) {
// CHECK-NEXT:         const int x = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:         const int y = blockIdx.y * blockDim.y + threadIdx.y;
// CHECK-NEXT:         if (x >= 45 || y >= 20)
// CHECK-NEXT:           return false;
// CHECK-NEXT:         const T here = T(x * y % 10);
// CHECK-NEXT:         return !(here < 7);
// CHECK-NEXT:       },
// CHECK-NEXT:       [&](uint3 blockIdx, uint3 threadIdx) {
// CHECK-NEXT:         const int x = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:         const int y = blockIdx.y * blockDim.y + threadIdx.y;
// CHECK-NEXT:         const T here = T(x * y % 10);
// CHECK-NEXT:         out[y * 48 + x] = unsigned(here) + x;
// CHECK-NEXT:       });
