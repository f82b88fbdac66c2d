// SPDX-License-Identifier: Apache-2.0
// ChaCha20: each thread makes one block of 64 bytes of the key stream.
#include "common.h"

#define QUARTER(a, b, c, d)                                                                        \
  a += b, d = rotate(d ^ a, 16), c += d, b = rotate(b ^ c, 12), a += b, d = rotate(d ^ a, 8),      \
          c += d, b = rotate(b ^ c, 7)

__host__ __device__ unsigned rotate(unsigned x, int by) {
  return x << by | x >> (32 - by);
}

__host__ __device__ void keyStream(unsigned number, unsigned* out) {
  unsigned start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 4; i < 12; ++i)
    start[i] = 0x03020100u + 0x04040404u * (i - 4);
  start[12] = number;
  start[13] = 0x09000000;
  start[14] = 0x4a000000;
  unsigned x[16];
  for (int i = 0; i < 16; ++i)
    x[i] = start[i];
  for (int round = 0; round < 10; ++round) {
    QUARTER(x[0], x[4], x[8], x[12]);
    QUARTER(x[1], x[5], x[9], x[13]);
    QUARTER(x[2], x[6], x[10], x[14]);
    QUARTER(x[3], x[7], x[11], x[15]);
    QUARTER(x[0], x[5], x[10], x[15]);
    QUARTER(x[1], x[6], x[11], x[12]);
    QUARTER(x[2], x[7], x[8], x[13]);
    QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; ++i)
    out[i] = x[i] + start[i];
}

__global__ void streamBlocks(unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    keyStream(i, out + 16 * i);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2048);
  unsigned* out = allocate<unsigned>(16 * n);
  streamBlocks<<<(n + 255) / 256, 256>>>(out, n);
  std::vector<unsigned> want(16 * n);
  for (int i = 0; i < n; ++i)
    keyStream(i, &want[16 * i]);
  return verdict(want[16] == 0xe4e7f110 && download(out, 16 * n) == want);
}
