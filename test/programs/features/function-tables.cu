// SPDX-License-Identifier: Apache-2.0
// Tables of device functions in device and in constant memory, called by an index that differs from
// lane to lane.
#include "../check.h"

__host__ __device__ float half(float x) {
  return x * 0.5f;
}
__host__ __device__ float square(float x) {
  return x * x;
}
__host__ __device__ float negate(float x) {
  return -x;
}
__host__ __device__ float clampTen(float x) {
  if (x > 10.0f)
    return 10.0f;
  return x < -10.0f ? -10.0f : x;
}

typedef float (*Function)(float);
__device__ Function table[4] = {half, square, negate, clampTen};
__constant__ Function fixedTable[4] = {clampTen, negate, square, half};

__global__ void run(float* out, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = float(i);
  for (int step = 0; step < steps; ++step)
    x = step % 2 ? fixedTable[(i + step) & 3](x) : table[(i >> step) & 3](x);
  out[i] = x;
}

int main() {
  const Function onHost[4] = {half, square, negate, clampTen};
  DeviceArray<float> out(128);
  run<<<2, 64>>>(out, 6);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t n) {
    const int i = int(n);
    float x = float(i);
    for (int step = 0; step < 6; ++step)
      x = step % 2 ? onHost[3 - ((i + step) & 3)](x) : onHost[(i >> step) & 3](x);
    return x;
  });
  return finish();
}
