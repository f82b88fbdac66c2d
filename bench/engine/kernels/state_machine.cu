// SPDX-License-Identifier: Apache-2.0
//
// Counts words, numbers and strings of a line of text, a character and a state at a time.
#include "kernel.h"

enum State { Blank, Word, Number, Fraction, String, Escape };

KERNEL(state_machine, int* out, const unsigned char* text, int length) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char* at = text + line * length;
  int state = Blank, words = 0, numbers = 0, strings = 0;
  for (int i = 0; i < length; ++i) {
    const int c = at[i];
    const bool digit = c >= '0' && c <= '9', letter = c >= 'a' && c <= 'z';
    switch (state) {
    case Blank:
      state = letter ? Word : digit ? Number : c == '"' ? String : Blank;
      break;
    case Word:
      if (!letter && !digit) {
        ++words;
        state = c == '"' ? String : Blank;
      }
      break;
    case Number:
      if (c == '.') {
        state = Fraction;
      } else if (!digit) {
        numbers += 2;
        state = letter ? Word : Blank;
      }
      break;
    case Fraction:
      if (!digit) {
        numbers += 3;
        state = Blank;
      }
      break;
    case String:
      if (c == '"') {
        strings += i;
        state = Blank;
      } else if (c == '\\') {
        state = Escape;
      }
      break;
    default:
      state = String;
    }
  }
  out[line] = words + 1000 * numbers + 7 * strings + state;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(
      grid, block,
      state_machine(t, b, block, grid, *(int**)a[0], *(unsigned char**)a[1], *(int*)a[2]))
}
#endif
