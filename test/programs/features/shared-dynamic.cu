// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory: one extern array carved by hand into several types, beside static arrays,
// in several sizes.
#include "../check.h"

extern __shared__ unsigned char room[];

__global__ void carve(double* out, int n) {
  __shared__ int fixed[4];
  double* doubles = reinterpret_cast<double*>(room);
  float* floats = reinterpret_cast<float*>(doubles + n);
  int* ints = reinterpret_cast<int*>(floats + n);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(ints + n);
  const int t = threadIdx.x;
  if (t < 4)
    fixed[t] = 1000 * t;
  doubles[t] = t * 0.5;
  floats[t] = t * 2.0f;
  ints[t] = -t;
  bytes[t] = (unsigned char)(t * 3);
  __syncthreads();
  const int other = n - 1 - t;
  out[t] = doubles[other] + floats[other] + ints[other] + bytes[other] + fixed[t % 4];
}

__global__ void reverse(float* values) {
  extern __shared__ float4 vectors[]; // another type for the same room
  const int t = threadIdx.x, n = blockDim.x;
  vectors[t] = make_float4(values[4 * t], values[4 * t + 1], values[4 * t + 2], values[4 * t + 3]);
  __syncthreads();
  const float4 v = vectors[n - 1 - t];
  values[4 * t] = v.w;
  values[4 * t + 1] = v.z;
  values[4 * t + 2] = v.y;
  values[4 * t + 3] = v.x;
}

int main() {
  for (int n : {4, 33, 256}) {
    DeviceArray<double> out(n);
    carve<<<1, n, n * (8 + 4 + 4 + 1)>>>(out, n);
    CHECK_LAUNCH();
    expectArray("out", out.read(), [=](size_t t) {
      const int other = n - 1 - int(t);
      return other * 0.5 + other * 2.0 - other + (other * 3) % 256 + 1000 * int(t % 4);
    });
  }
  std::vector<float> values(400);
  for (int i = 0; i < 400; ++i)
    values[i] = float(i);
  DeviceArray<float> device(values);
  reverse<<<1, 100, 100 * sizeof(float4)>>>(device);
  CHECK_LAUNCH();
  expectArray("reversed", device.read(), [](size_t i) { return float(399 - i); });
  return finish();
}
