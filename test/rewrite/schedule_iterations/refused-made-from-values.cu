// RUN: %refused fix %s --only schedule-iterations --line 14 --unproven > %t && FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// An object that is made from values is not made anew by an empty one.
struct Step {
  int by;
  __device__ Step() : by(1) {}
  __device__ explicit Step(int x) : by(x) {}
};

__global__ void apply(int* out, int x) {
  while (x > 1) {
    Step step(x & 3);
    if (x % 2 == 0) // CHECK: :[[#@LINE]]: schedule-iterations refused: line [[#@LINE-1]] declares step, with an initial value in parentheses or braces [unhoistable-declaration]
      x = x / 2 - step.by;
    else
      x = x / 3 + step.by;
    out[threadIdx.x]++;
  }
}
