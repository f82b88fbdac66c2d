// SPDX-License-Identifier: Apache-2.0
#pragma once

__device__ inline float odd_step(float x) {
  return fabsf(x - 0.5f) * 0.9f;
}

template <class T> __global__ void roles(T* values, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = values[i];
  if (threadIdx.x % 2 == 0) {
#pragma unroll 1
    for (int s = 0; s < steps; ++s)
      x = x * T(0.999) + T(0.25);
  } else {
#pragma unroll 1
    for (int s = 0; s < steps; ++s)
      x = odd_step(x);
  }
  values[i] = x;
}
