// RUN: %heddle fix %s --only regroup --line 9 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// SPDX-License-Identifier: Apache-2.0
//
// `state` is a variable already, so the new one has another name.
__global__ void shrink(float* out, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i, state = eps;
  while (x > 0.1f) {
    if (x > 10) {
      x *= 0.3f * state;
    } else {
      x *= 0.9f + eps;
    }
  }
  out[i] = x;
}

// CHECK: +  assert(blockDim.x == 128);
// CHECK-NEXT: +  struct LoopState { int i; float x; };
// CHECK-NEXT: +  LoopState loopState{i, x};
// CHECK-NEXT: +  heddle::regrouped_loop<128, 2, LoopState>(
// CHECK-NEXT: +      loopState,
// CHECK-NEXT: +      [&](LoopState& loopState) {
// CHECK-NEXT: +        auto& [i, x] = loopState;
// CHECK-NEXT: +        if (!(x > 0.1f))
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return x > 10 ? 0 : 1;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&](LoopState& loopState) {
// CHECK-NEXT: +        auto& [i, x] = loopState;
// CHECK-NEXT: +        x *= 0.3f * state;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&](LoopState& loopState) {
// CHECK-NEXT: +        auto& [i, x] = loopState;
// CHECK-NEXT: +        x *= 0.9f + eps;
// CHECK-NEXT: +      });
// CHECK-NEXT: +  i = loopState.i;
// CHECK-NEXT: +  x = loopState.x;
// CHECK-NEXT: out[i] = x;
