// SPDX-License-Identifier: Apache-2.0
// Static shared memory: several arrays, a scalar, a 2-D tile, one declared inside a function and
// inside a template.
#include "../check.h"

__device__ int rotate(int value, int by) {
  __shared__ int slots[96]; // one for all calls of the block
  __syncthreads();
  slots[threadIdx.x] = value;
  __syncthreads();
  return slots[(threadIdx.x + by) % 96];
}

template <int Tag> __device__ int remember(int value) {
  __shared__ int kept; // one per instance of the template
  if (threadIdx.x == Tag)
    kept = value;
  __syncthreads();
  return kept;
}

__global__ void run(int* out) {
  __shared__ float tile[8][13];
  __shared__ short small[96];
  __shared__ double wide[3];
  __shared__ int total;
  const int t = threadIdx.x;
  if (t == 0)
    total = 0;
  if (t < 3)
    wide[t] = t + 0.5;
  small[t] = short(-t);
  tile[t / 12][t % 12] = float(t);
  __syncthreads();
  atomicAdd(&total, small[95 - t]);
  const float crossed = tile[t % 8][t / 8];
  __syncthreads();
  const int rotated = rotate(t * 10, 1) + rotate(t * 10, 40);
  const int kept = remember<3>(t + 100) + remember<70>(t + 1000);
  out[blockIdx.x * 96 + t] =
      int(crossed) + total + int(wide[t % 3] * 2) + rotated + kept + int(blockIdx.x);
}

int main() {
  DeviceArray<int> out(5 * 96);
  run<<<5, 96>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) {
    const int t = int(i) % 96, block = int(i) / 96;
    const int crossed = t % 8 * 12 + t / 8;
    const int rotated = (t + 1) % 96 * 10 + (t + 40) % 96 * 10;
    return crossed - 95 * 96 / 2 + (2 * (t % 3) + 1) + rotated + 103 + 1070 + block;
  });
  return finish();
}
