// SPDX-License-Identifier: Apache-2.0
//
// A machine with four registers; threads run different programs, each until it halts.
#include "kernel.h"

enum Code { Halt, Add, Subtract, Multiply, Xor, Shift, Load, Jump, Swap };

KERNEL(interpreter, unsigned* out, const unsigned* programs, int size, int count, int most) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* program = programs + thread % count * size;
  unsigned a = thread, b = 1, c = 12345, d = 0;
  int at = 0;
  for (int step = 0; step < most; ++step) {
    const unsigned word = program[at];
    const unsigned value = word >> 8;
    at = at + 1 == size ? 0 : at + 1;
    switch (word & 0xff) {
    case Add:
      a += b + value;
      break;
    case Subtract:
      b -= c ^ value;
      break;
    case Multiply:
      c = c * a + value;
      break;
    case Xor:
      d ^= a;
      break;
    case Shift:
      a = a >> (value & 7) | d << 5;
      break;
    case Load:
      b = value;
      break;
    case Jump:
      at = a & 1 ? value % size : at;
      break;
    case Swap: {
      const unsigned old = c;
      c = d;
      d = old;
      break;
    }
    default:
      step = (a & 15) == 0 ? most : step;
    }
  }
  out[thread] = a + 3 * b + 5 * c + 7 * d;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  interpreter(t, b, block, grid, *(unsigned**)a[0], *(unsigned**)a[1], *(int*)a[2],
                              *(int*)a[3], *(int*)a[4]))
}
#endif
