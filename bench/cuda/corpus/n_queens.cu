// SPDX-License-Identifier: Apache-2.0
// Solutions of the n queens problem: each thread completes one placement of the first rows.
#include "common.h"

__host__ __device__ int complete(int n, unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1, open[16];
  unsigned c[16], l[16], r[16];
  int depth = 0, solutions = 0;
  c[0] = columns, l[0] = left, r[0] = right;
  open[0] = all & ~(columns | left | right);
  while (depth >= 0) {
    if (c[depth] == all) {
      ++solutions;
      --depth;
      continue;
    }
    if (open[depth] == 0) {
      --depth;
      continue;
    }
    unsigned bit = open[depth] & (0u - open[depth]);
    open[depth] ^= bit;
    c[depth + 1] = c[depth] | bit;
    l[depth + 1] = (l[depth] | bit) << 1;
    r[depth + 1] = (r[depth] | bit) >> 1;
    ++depth;
    open[depth] = all & ~(c[depth] | l[depth] | r[depth]);
  }
  return solutions;
}

__global__ void completeBoards(const uint3* starts, int count, int n, unsigned* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    atomicAdd(total, (unsigned)complete(n, starts[i].x, starts[i].y, starts[i].z));
}

void place(int n, int rows, uint3 board, std::vector<uint3>& out) {
  if (rows == 0) {
    out.push_back(board);
    return;
  }
  for (unsigned bit = 1; bit < 1u << n; bit <<= 1)
    if ((bit & (board.x | board.y | board.z)) == 0)
      place(n, rows - 1, make_uint3(board.x | bit, (board.y | bit) << 1, (board.z | bit) >> 1),
            out);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 8);
  std::vector<uint3> starts;
  place(n, 4, make_uint3(0, 0, 0), starts);
  int count = (int)starts.size();
  unsigned* total = allocate<unsigned>(1);
  completeBoards<<<(count + 63) / 64, 64>>>(upload(starts), count, n, total);
  const unsigned known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
  printf("%u solutions\n", download(total, 1)[0]);
  return verdict(download(total, 1)[0] == known[n]);
}
