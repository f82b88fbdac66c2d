// SPDX-License-Identifier: Apache-2.0
//
// Queens on a board, the first three rows given by the thread: depth first, with a stack.
#include "kernel.h"

KERNEL(backtracking, int* out, int size) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned board = (1u << size) - 1;
  unsigned columns[16], left[16], right[16], open[16];
  unsigned column = 0, falling = 0, rising = 0;
  int found = 0, place = thread;
  bool legal = true;
  for (int row = 0; row < 3; ++row, place /= size) {
    const unsigned queen = 1u << place % size;
    legal = legal && (queen & (column | falling | rising)) == 0;
    column |= queen;
    falling = (falling | queen) << 1;
    rising = (rising | queen) >> 1;
  }
  int depth = 0;
  columns[0] = column;
  left[0] = falling;
  right[0] = rising;
  open[0] = legal ? board & ~(column | falling | rising) : 0;
  while (depth >= 0) {
    const unsigned queen = open[depth] & (0u - open[depth]);
    if (queen == 0) {
      --depth;
      continue;
    }
    open[depth] ^= queen;
    const unsigned nextColumn = columns[depth] | queen;
    if (nextColumn == board) {
      ++found;
      continue;
    }
    left[depth + 1] = (left[depth] | queen) << 1;
    right[depth + 1] = (right[depth] | queen) >> 1;
    columns[depth + 1] = nextColumn;
    ++depth;
    open[depth] = board & ~(nextColumn | left[depth] | right[depth]);
  }
  out[thread] = found;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block, backtracking(t, b, block, grid, *(int**)a[0], *(int*)a[1]))
}
#endif
