// SPDX-License-Identifier: Apache-2.0
// A hash in the manner of SHA-256: eight words of state and a window of sixteen, all in registers.
#include "../corpus/common.h"

__host__ __device__ unsigned rotate(unsigned x, int by) { return x >> by | x << (32 - by); }

__host__ __device__ unsigned digestOf(unsigned seed) {
  unsigned w[16], s[8];
#pragma unroll
  for (int i = 0; i < 16; ++i)
    w[i] = seed * 2654435761u + i * 0x9e3779b9u;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    s[i] = 0x6a09e667u * (i + 1);
  for (int round = 0; round < 8; ++round) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      unsigned one = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
      unsigned choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
      unsigned first = s[7] + one + choice + w[i] + 0x428a2f98u * (round + 1);
      unsigned zero = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
      unsigned most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
      s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + first;
      s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = first + zero + most;
      unsigned a = w[(i + 1) % 16], b = w[(i + 14) % 16];
      w[i] += (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[(i + 9) % 16] +
              (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
  }
  return s[0] ^ s[4];
}

__global__ void digestAll(unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = digestOf(i);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 300000);
  unsigned* out = allocate<unsigned>(n);
  digestAll<<<(n + 255) / 256, 256>>>(out, n);
  std::vector<unsigned> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997)
    passed &= got[i] == digestOf(i);
  return verdict(passed);
}
