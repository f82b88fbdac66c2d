// SPDX-License-Identifier: Apache-2.0
#include "count.h"

static __global__ void digits(const int* values, int* lengths, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int length = 1;
  for (int rest = values[i]; rest >= 10; rest /= 10)
    ++length;
  lengths[i] = length;
}

void countDigits(const int* values, int* lengths, int n) {
  digits<<<(n + 63) / 64, 64>>>(values, lengths, n);
}
