// SPDX-License-Identifier: Apache-2.0
// A branch in a loop whose one side leaves the rest of the iteration early and whose other side
// leaves the loop: lanes of both wait in different places, and those that left do not go round
// again. A random kernel in its smallest form.
#include "../check.h"

__host__ __device__ __noinline__ int search(int id, int start) {
  int a = start, b = id, c = id * 5, found = 2, few[4] = {start, 1, id, 3}, more[8] = {id, start};
  int round = 0;
  do {
    switch ((33 >> ((more[2] | 40) & 7)) & 3) {
    case 0:
      c = more[2] ^ 50;
    case 1:
      c = ((47 * a) & 31) <= 1 ? ((id & 31) < 12 ? b ^ c : (more[2] & 31) == 20 ? 37 : c) : id;
    case 2:
      if (((few[2] * (few[a & 3] + 46)) & 31) != 18)
        more[((unsigned)a / ((b & 15) + 1)) & 7] =
            few[2] + found + few[c & 3] - (35 >> ((few[a & 3] - b) & 7));
      if ((((unsigned)(few[c & 3] * few[a & 3]) / ((c & 15) + 1)) & 31) == 30) {
        more[7] = a;
        return found;
      }
      break;
    }
  } while (++round < ((26 - id * id) & 7));
  return a ^ b ^ c ^ found ^ more[start & 7] ^ few[id & 3];
}

__global__ void run(int* out) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  out[id] = search(id, id);
}

int main() {
  DeviceArray<int> out(160);
  run<<<2, 80>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return search(int(i), int(i)); });
  return finish();
}
