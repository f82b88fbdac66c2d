// RUN: %refused fix %s --only align-to-warp --line 6 --block 256,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
__global__ void halves(float* out) {
  const unsigned t = threadIdx.x;
  float x = 1;
  if (t & 1)
    x = 2;
  x += __shfl_xor_sync(~0u, x, 1);
  out[t] = x;
}

// CHECK: align-to-warp refused: line {{[0-9]+}} calls __shfl_xor_sync, whose lanes would no longer meet [sync-op-inside]
