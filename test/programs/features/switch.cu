// SPDX-License-Identifier: Apache-2.0
// A dense switch with fall-through, a sparse one, one on characters, one inside a loop.
#include "../check.h"

__host__ __device__ int dense(int k, int x) {
  switch (k) {
  case 0:
    return x + 1;
  case 1:
    x *= 2; // falls through
    [[fallthrough]];
  case 2:
    x += 5;
    break;
  case 3:
    x = -x;
    break;
  case 4:
  case 5:
    x ^= 0x3c;
    break;
  case 6:
    return 42;
  default:
    x -= k;
  }
  return x * 3;
}

__host__ __device__ int sparse(int k) {
  switch (k) {
  case -1000:
    return 1;
  case 7:
    return 2;
  case 100000:
    return 3;
  case 0x7fffffff:
    return 4;
  }
  return 5;
}

// A tiny machine: each character is one instruction.
__host__ __device__ int interpret(const char* code, int x) {
  for (; *code; ++code)
    switch (*code) {
    case '+':
      ++x;
      break;
    case '*':
      x *= x & 7;
      break;
    case 's':
      x >>= 1;
      continue;
    case '!':
      return x;
    default:
      x ^= *code;
    }
  return -x;
}

__constant__ char programs[4][8] = {"++*s+", "s*!++", "abc", "+*+*+*!"};
static const char onHost[4][8] = {"++*s+", "s*!++", "abc", "+*+*+*!"};

__global__ void run(int* out) {
  const int i = threadIdx.x;
  const int keys[5] = {-1000, 7, 100000, 0x7fffffff, i};
  out[i] = dense(i % 9, i) + 1000 * sparse(keys[i % 5]) ^ 16 * interpret(programs[i & 3], i);
}

int main() {
  DeviceArray<int> out(96);
  run<<<1, 96>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t n) {
    const int i = int(n);
    const int keys[5] = {-1000, 7, 100000, 0x7fffffff, i};
    return dense(i % 9, i) + 1000 * sparse(keys[i % 5]) ^ 16 * interpret(onHost[i & 3], i);
  });
  return finish();
}
