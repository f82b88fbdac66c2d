// RUN: %heddle fix %s --only regroup --line 23 --block 64,1,1 --unproven > %t.while && FileCheck-19 %s --check-prefix=WHILE < %t.while
// RUN: %heddle fix %s --only regroup --line 32 --block 64,1,1 --unproven > %t.do && FileCheck-19 %s --check-prefix=DO < %t.do
// RUN: %heddle fix %s --only regroup --line 41 --block 64,1,1 --unproven > %t.if && FileCheck-19 %s --check-prefix=EXIT < %t.if
// RUN: %heddle run %s | grep result: > %t.before
// RUN: cp %s %t.while.cu && patch -s %t.while.cu %t.while && %heddle run %t.while.cu | grep result: > %t.after && diff %t.before %t.after
// RUN: cp %s %t.do.cu && patch -s %t.do.cu %t.do && %heddle run %t.do.cu | grep result: > %t.after && diff %t.before %t.after
// RUN: cp %s %t.if.cu && patch -s %t.if.cu %t.if && %heddle run %t.if.cu | grep result: > %t.after && diff %t.before %t.after
// SPDX-License-Identifier: Apache-2.0
//
// A condition that draws a random number is tested once an iteration: the strip says how it ended. A loop that only
// a break ends has none.
#include <cstdio>

__device__ unsigned draw(unsigned& seed) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 16;
}

__global__ void walk(unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned seed = i * 2654435761u;
  unsigned length = 0;
  while (draw(seed) % 200 != 0)
    ++length;
  out[i] = length;
}

__global__ void jump(unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned seed = i * 2654435761u;
  unsigned length = 0;
  do {
    ++length;
    if (length % 3 == 0)
      continue;
    length += draw(seed) & 1;
  } while (draw(seed) % 200 != 0);
  out[i] += length;
  unsigned high = 0;
  for (;;) {
    if (high > 10000 + i)
      break;
    high += draw(seed) & 255;
  }
  out[i] += high + draw(seed);
}

int main() {
  const int n = 1024;
  unsigned* out;
  cudaMallocManaged(&out, n * sizeof(unsigned));
  walk<<<n / 64, 64>>>(out);
  jump<<<n / 64, 64>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  unsigned hash = 0;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + out[i];
  printf("result: %08x\n", hash);
}

// WHILE: +        return 0;
// WHILE: +        int turn = 0;
// WHILE-NEXT: +        for (; turn < [[STRIP:[0-9]+]] && draw(seed) % 200 != 0; ++turn) {
// WHILE-NEXT: +          ++length;
// WHILE-NEXT: +        }
// WHILE-NEXT: +        return turn == [[STRIP]] ? heddle::flow::proceed : heddle::flow::leave;

// DO: +        return 0;
// DO: +        int turn = 0;
// DO-NEXT: +        do {
// DO-NEXT: +          ++length;
// DO-NEXT: +          if (length % 3 == 0)
// DO-NEXT: +            continue;
// DO-NEXT: +          length += draw(seed) & 1;
// DO-NEXT: +        } while (draw(seed) % 200 != 0 && ++turn < [[STRIP:[0-9]+]]);
// DO-NEXT: +        return turn == [[STRIP]] ? heddle::flow::proceed : heddle::flow::leave;

// EXIT: +        return 0;
// EXIT: +        for (int turn = 0; turn < {{[0-9]+}}; ++turn) {
// EXIT-NEXT: +          if (high > 10000 + i)
// EXIT-NEXT: +            return heddle::flow::leave;
// EXIT-NEXT: +          high += draw(seed) & 255;
// EXIT-NEXT: +        }
// EXIT-NEXT: +        return heddle::flow::proceed;
