// SPDX-License-Identifier: Apache-2.0
// Branches five deep, where every lane of a warp takes its own path, with code between the joins.
#include "../check.h"

__host__ __device__ unsigned walk(unsigned lane, unsigned x) {
  if (lane & 1) {
    x += 1;
    if (lane & 2) {
      x *= 3;
      if (lane & 4)
        x ^= 0xff;
      else
        x += lane;
      x += 5;
    } else {
      if (lane & 8)
        x -= 17;
      x <<= 1;
    }
    x += 11;
  } else {
    x *= 7;
    if (lane & 16) {
      if (lane & 8) {
        if (lane & 4) {
          if (lane & 2)
            x = ~x;
          else
            x += 1000;
          x ^= lane;
        }
        x += 3;
      }
    } else {
      x -= lane * lane;
    }
  }
  return x * 31 + lane;
}

__global__ void run(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = walk(i & 31, i * 2654435761u);
}

int main() {
  const int n = 256;
  DeviceArray<unsigned> out(n);
  run<<<2, 128>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return walk(i & 31, unsigned(i) * 2654435761u); });
  return finish();
}
