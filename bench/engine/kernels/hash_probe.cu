// SPDX-License-Identifier: Apache-2.0
//
// Looks keys up in a table with open addressing, three quarters full; half of them are not there.
#include "kernel.h"

KERNEL(hash_probe, int* out, const unsigned* table, const unsigned* keys, int slots) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned key = keys[i];
  unsigned slot = key * 2654435761u >> 7 & (slots - 1);
  int probes = 1;
  while (table[slot] != key && table[slot] != 0) {
    slot = slot + 1 & (slots - 1);
    ++probes;
  }
  out[i] = table[slot] == key ? probes : -probes;
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  hash_probe(t, b, block, grid, *(int**)a[0], *(unsigned**)a[1], *(unsigned**)a[2],
                             *(int*)a[3]))
}
#endif
