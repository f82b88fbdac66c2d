// SPDX-License-Identifier: Apache-2.0
// min and max in host code, without <algorithm> and std::, as nvcc has them; also in functions that
// both sides call, with mixed types, and beside a program's own.
#include "../check.h"

#include <algorithm>

struct Pair {
  int first, second;
};
static Pair max(const Pair& a, const Pair& b) {
  return a.first < b.first ? b : a;
}

__host__ __device__ int clampTo(int value, int low, int high) {
  return max(low, min(value, high));
}

__global__ void clampAll(int* out) {
  out[threadIdx.x] = clampTo(threadIdx.x, 5, 20);
}

namespace ours {
template <class T> T max(T a, T b) {
  return a < b ? b : a;
}
static int larger() {
  return max(2, 3);
}
} // namespace ours

static int withStd() {
  using namespace std;
  return max(7, 4) + min(7, 4);
}

int main() {
  int furthest = 0;
  for (int i = 0; i < 10; i++)
    furthest = max(abs(3 - i), furthest);
  expectEqual("max of ints", furthest, 6);
  expectEqual("min of floats", min(1.0f, 2.0f), 1.0f);
  expectEqual("max of float and double", max(1.5f, 2.5), 2.5);
  expectEqual("max of int and unsigned", max(-1, 1u), 0xffffffffu);
  expectEqual("min of a NaN", min(nanf(""), 2.0f), 2.0f);
  expectEqual("max of a NaN", max(2.0, nan("")), 2.0);
  expectEqual("size", min(sizeof(Pair), size_t(100)), size_t(8));
  expectEqual("an own max", max(Pair{1, 2}, Pair{3, 4}).second, 4);
  expectEqual("max in a namespace", ours::larger(), 3);
  expectEqual("std's", withStd(), 11);
  DeviceArray<int> out(32);
  clampAll<<<1, 32>>>(out);
  CHECK_LAUNCH();
  expectArray("clamped", out.read(), [](size_t i) { return clampTo(int(i), 5, 20); });
  return finish();
}
