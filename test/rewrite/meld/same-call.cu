// RUN: %heddle fix %s --only meld --line 22 --block 64,1,1 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// The same call with other arguments, between statements of one arm.
#include "../results.cuh"

__device__ float rollBack(float spot, float strike, float sign, int steps) {
  float value = fmaxf(sign * (spot - strike), 0.0f);
  for (int k = 0; k < steps; ++k)
    value = fmaf(value, 0.75f, fabsf(spot - float(k)) / (1.0f + strike));
  return value;
}

__global__ void price(unsigned* out) {
  const int i = threadIdx.x;
  const float spot = float(i * 37 % 64), strike = float(i * 11 % 64);
  float value;
  unsigned fees = i;

  if (i % 5 < 2) {
    fees += 3;
    value = rollBack(spot, strike, 1.0f, 24);
    fees = fees * 3 + (value > 2);
  } else {
    value = rollBack(strike, spot, -1.0f, 24);
  }
  out[i] = __float_as_uint(value) ^ fees;
}

int main() { printResults(price); }

// CHECK:        const bool first = i % 5 < 2;
// CHECK-NEXT:   if (first)
// CHECK-NEXT:     fees += 3;
// CHECK-NEXT:   value = rollBack(first ? spot : strike, first ? strike : spot, first ? 1.0f : -1.0f, 24);
// CHECK-NEXT:   if (first)
// CHECK-NEXT:     fees = fees * 3 + (value > 2);
// CHECK-NEXT:   out[i] = __float_as_uint(value) ^ fees;
