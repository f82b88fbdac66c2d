// SPDX-License-Identifier: Apache-2.0
// Structs passed to kernels and functions by value, returned, nested, with arrays, padding and
// pointers inside.
#include "../check.h"

struct Vector {
  float x, y, z;
  __host__ __device__ Vector operator+(Vector o) const { return {x + o.x, y + o.y, z + o.z}; }
  __host__ __device__ Vector operator*(float s) const { return {x * s, y * s, z * s}; }
};
struct Settings {
  char tag;
  double scale;
  short steps[5];
  Vector wind;
  struct Range {
    long long low;
    int high;
  } range;
  int* log;
};

__host__ __device__ __noinline__ Vector drift(Vector at, Settings settings, int i) {
  settings.steps[i % 5] += 1; // the copy, not the caller's
  Vector result = at;
  for (int k = 0; k < settings.steps[i % 5]; ++k)
    result = result + settings.wind * float(settings.scale);
  return result;
}

__host__ __device__ float work(const Settings& settings, int i) {
  const Vector moved = drift({float(i), 1.0f, 2.0f}, settings, i);
  return moved.x + 2.0f * moved.y + 3.0f * moved.z + float(settings.range.low % 100) +
         float(settings.range.high + settings.tag) + float(settings.steps[i % 5]);
}

__global__ void run(char before, Settings settings, float* out, short after) {
  const int i = threadIdx.x;
  settings.log[i] = before + after;
  out[i] = work(settings, i);
}

int main() {
  DeviceArray<int> log(64);
  DeviceArray<float> out(64);
  Settings settings{'k', 0.25, {1, 2, 3, 4, 5}, {1.0f, -2.0f, 4.0f}, {1234567890123ll, -7}, log};
  run<<<1, 64>>>('a', settings, out, -3);
  settings.scale = 1e9; // too late to matter
  CHECK_LAUNCH();
  settings.scale = 0.25;
  expectArray("log", log.read(), [](size_t) { return 'a' - 3; });
  expectArray("out", out.read(), [&](size_t i) { return work(settings, int(i)); });
  return finish();
}
