// SPDX-License-Identifier: Apache-2.0
// Variables that ask for more alignment than their type: parameters, local and shared memory.
#include "../check.h"

struct alignas(64) Wide {
  double values[8];
};
struct alignas(128) Line {
  float values[32];
};

__device__ unsigned long long misplaced(const void* pointer, size_t alignment) {
  return reinterpret_cast<size_t>(pointer) % alignment;
}

__device__ __noinline__ double pick(Wide wide, Line line, int i) {
  wide.values[i & 7] += line.values[i & 31];
  return wide.values[i & 7];
}

__global__ void use(double* out, unsigned long long* bad, const Wide a, char between, const Wide b,
                    const Line line) {
  __shared__ char odd[3];
  __shared__ Line shared;
  Wide local[3];
  Line other;
  const int i = threadIdx.x;
  for (int k = 0; k < 3; ++k)
    local[k] = k == 1 ? a : b;
  other = line;
  odd[i % 3] = between;
  shared.values[i] = line.values[i] + odd[i % 3];
  __syncthreads();
  local[i % 3].values[i & 7] += shared.values[31 - i];
  other.values[i] *= 2;
  const double2 first = *reinterpret_cast<const double2*>(&a.values[2]);
  const double2 second = *reinterpret_cast<const double2*>(&local[i % 3].values[i & 6]);
  out[i] = first.x + first.y + second.x + second.y + other.values[i ^ 1] + pick(b, line, i);
  bad[i] = misplaced(&a, 64) + misplaced(&b, 64) + misplaced(&line, 128) + misplaced(local, 64) +
           misplaced(&other, 128) + misplaced(&shared, 128);
}

static double want(int i, const Wide& a, char between, const Wide& b, const Line& line) {
  Wide local = i % 3 == 1 ? a : b;
  local.values[i & 7] += line.values[31 - i] + between;
  const float other = (i ^ 1) == i ? 0 : line.values[i ^ 1];
  return a.values[2] + a.values[3] + local.values[i & 6] + local.values[(i & 6) + 1] + other +
         b.values[i & 7] + line.values[i & 31];
}

int main() {
  Wide a, b;
  Line line;
  for (int i = 0; i < 8; ++i) {
    a.values[i] = i + 1;
    b.values[i] = 10 * i;
  }
  for (int i = 0; i < 32; ++i)
    line.values[i] = 100 + i;
  DeviceArray<double> out(32);
  DeviceArray<unsigned long long> bad(32);
  for (int again = 0; again < 20; ++again) { // wherever the arguments lie
    use<<<1, 32>>>(out, bad, a, 3, b, line);
    CHECK_LAUNCH();
    expectArray("misplaced", bad.read(), [](size_t) { return 0; });
    expectArray("sum", out.read(), [&](size_t i) { return want(int(i), a, 3, b, line); });
  }
  return finish();
}
