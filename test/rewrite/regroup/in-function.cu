// RUN: %heddle fix %s --only regroup --line 12 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// RUN: cp %s %t.cu && patch -s %t.cu %t.diff
// RUN: %heddle run %s | grep result: > %t.before
// RUN: %heddle run %t.cu | grep result: > %t.after && diff %t.before %t.after
// SPDX-License-Identifier: Apache-2.0
//
// The loop is in a function: it takes the place of its call first.
#include <cstdio>

__device__ float shrink(float x, float rate) {
  while (x > 0.1f) {
    if (x > 10)
      x *= rate;
    else
      x *= 0.9f;
  }
  return x;
}

__global__ void all(float* out, float rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = shrink(out[i], rate);
}

int main() {
  float* values;
  cudaMallocManaged(&values, 256 * sizeof(float));
  for (int i = 0; i < 256; ++i)
    values[i] = float(i * i % 97);
  all<<<2, 128>>>(values, 0.3f);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += values[i] * (i + 1);
  std::printf("result: %.9g\n", sum);
}

// CHECK: -  out[i] = shrink(out[i], rate);
// CHECK: +  {
// CHECK-NEXT: +    float x = out[i];
// CHECK: +    heddle::regrouped_loop<128, 2, State>(
// CHECK: +    x = state.x;
// CHECK-NEXT: +    out[i] = x;
// CHECK-NEXT: +  }
