// RUN: %heddle fix %s --only align-to-warp --line 6 --block 256,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void halves(float* out) {
  const unsigned t = threadIdx.x;
  float x = 1;
  if (t & 1)
    x = 2;
  out[t] = x;
}

// CHECK: -  const unsigned t = threadIdx.x;
// CHECK-NEXT: +  assert(blockDim.x % 2 == 0);
// CHECK-NEXT: +  const unsigned t = threadIdx.x % (blockDim.x / 2) * 2 + threadIdx.x / (blockDim.x / 2);
// CHECK-NEXT: float x = 1;
// CHECK-NOT: {{^[+]}}
