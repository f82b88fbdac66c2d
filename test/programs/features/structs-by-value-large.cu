// SPDX-License-Identifier: Apache-2.0
// A function that is not inlined owns its copies of two structs, a large one and a small one.
#include "../check.h"

struct Big {
  float values[64];
};
struct Small {
  float values[4];
};

__device__ __noinline__ float change(Big big, Small small, int i) {
  float seen[8];
  for (int k = 0; k < 8; ++k)
    seen[k] = big.values[(i + k) % 64];
  big.values[i] += 1;
  small.values[i & 3] += 2;
  return big.values[i / 2] + small.values[i % 4] + seen[i & 7];
}

__global__ void changeTwice(float* out, Big big, Small small) {
  const int i = threadIdx.x;
  const float once = change(big, small, i);
  out[i] = once == change(big, small, i) ? once : -1; // the caller's are as they were
}

int main() {
  Big big;
  Small small;
  for (int i = 0; i < 64; ++i)
    big.values[i] = i;
  for (int i = 0; i < 4; ++i)
    small.values[i] = 100 * i;
  DeviceArray<float> out(32);
  changeTwice<<<1, 32>>>(out, big, small);
  CHECK_LAUNCH();
  expectArray("sum", out.read(), [](size_t i) {
    return i / 2 + (i == 0 ? 1 : 0) + 100 * (i % 4) + 2 + (i + (i & 7)) % 64;
  });
  return finish();
}
