// SPDX-License-Identifier: Apache-2.0
// Loops left by break, continue and return, from several places and from inside a nested loop or
// switch.
#include "../check.h"

__host__ __device__ int search(int i) {
  int found = -1, skipped = 0;
  for (int j = 0; j < 50; ++j) {
    if ((i + j) % 3 == 0) {
      ++skipped;
      continue;
    }
    if ((i * j) % 11 == 7) {
      found = j;
      break;
    }
    if (j > 40 && i % 13 == 5)
      return -1000 - skipped;
    for (int k = 0;; ++k) {
      if (k * k > i + j)
        break;
      if ((k ^ j) == 21)
        goto done; // the way out of two loops
      skipped += k & 1;
    }
    switch (j % 4) {
    case 0:
      continue;
    case 1:
      skipped += 2;
      break; // leaves the switch only
    default:
      break;
    }
    while (true) {
      if (++skipped % 5 == 0)
        break;
      if (skipped > 200)
        return skipped;
    }
  }
done:
  return found * 1000 + skipped;
}

__global__ void run(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = search(i);
}

int main() {
  const int n = 512;
  DeviceArray<int> out(n);
  run<<<4, 128>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return search(int(i)); });
  return finish();
}
