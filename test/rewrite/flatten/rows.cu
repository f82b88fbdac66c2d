// RUN: %heddle fix %s --only flatten --line 18 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Rows of different lengths, some of them empty. What the head declares and nobody else uses stays in it.
#include "../results.cuh"

__device__ unsigned beginOf(unsigned row) { return row * 7 + (row * row) % 5; }

__global__ void sumRows(unsigned* out) {
  for (unsigned row = threadIdx.x; row < 300; row += blockDim.x) {
    // head
    const unsigned offset = row & 3;
    unsigned sum = offset;
    const unsigned end = beginOf(row) + row * 5 % 11;
#pragma unroll 1
    for (unsigned k = beginOf(row); k < end; ++k)
      sum = sum * 31 + k; // body
    out[threadIdx.x] ^= sum;
  }
}

int main() { printResults(sumRows); }

// CHECK:         unsigned row = threadIdx.x;
// CHECK-NEXT:    unsigned sum;
// CHECK-NEXT:    unsigned end;
// CHECK-NEXT:    unsigned k;
// CHECK-NEXT:    bool inside = false;
// CHECK-NEXT:    while (inside || row < 300) {
// CHECK-NEXT:      if (!inside) {
// CHECK-NEXT:        // head
// CHECK-NEXT:        const unsigned offset = row & 3;
// CHECK-NEXT:        sum = offset;
// CHECK-NEXT:        end = beginOf(row) + row * 5 % 11;
// CHECK-NEXT:        k = beginOf(row);
// CHECK-NEXT:        inside = k < end;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (inside) {
// CHECK-NEXT:        sum = sum * 31 + k; // body
// CHECK-NEXT:        ++k;
// CHECK-NEXT:        inside = k < end;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (!inside) {
// CHECK-NEXT:        out[threadIdx.x] ^= sum;
// CHECK-NEXT:        row += blockDim.x;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
