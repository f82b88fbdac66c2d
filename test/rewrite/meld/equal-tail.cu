// RUN: %heddle fix %s --only meld --line 14 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Both arms end with the same statements, over a variable that each sets in its own way.
#include "../results.cuh"

__device__ float enter(float b, float c) { return -b + sqrtf(fmaxf(b * b - c, 0.0f)); }

__global__ void shade(unsigned* out) {
  const int i = threadIdx.x;
  const float x = 0.1f * i;
  if (i % 3 == 0) {
    float b = x - 2.0f;
    float t = enter(b, x); // where it meets
    float fog = expf(-t);
    float pattern = sinf(6.0f * t) + sinf(x);
    out[i] = __float_as_uint(fmaxf(fog, pattern));
  } else {
    float t = (2.0f - x) / (x + 0.1f);
    float fog = expf(-t);
    float pattern = sinf(6.0f * t) + sinf(x);
    out[i] = __float_as_uint(fmaxf(fog, pattern));
  }
}

int main() { printResults(shade); }

// CHECK:          float t;
// CHECK-NEXT:     if (i % 3 == 0) {
// CHECK-NEXT:       float b = x - 2.0f;
// CHECK-NEXT:       t = enter(b, x); // where it meets
// CHECK-NEXT:     } else {
// CHECK-NEXT:       t = (2.0f - x) / (x + 0.1f);
// CHECK-NEXT:     }
// CHECK-NEXT:     float fog = expf(-t);
