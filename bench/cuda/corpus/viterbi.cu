// SPDX-License-Identifier: Apache-2.0
// Viterbi decoding: a block for each message, a thread for each of 64 states of the coder.
#include "common.h"

const int STATES = 64, BITS = 64;

__host__ __device__ int parity(unsigned x) {
  x ^= x >> 4;
  x ^= x >> 2;
  return (x ^ x >> 1) & 1;
}

__host__ __device__ int symbolOf(unsigned window) {
  return parity(window & 0x4f) << 1 | parity(window & 0x6d);
}

__global__ void decodeMessages(const unsigned char* received, unsigned char* decoded) {
  __shared__ int cost[2][STATES];
  __shared__ unsigned char choice[BITS][STATES];
  const unsigned char* mine = received + blockIdx.x * BITS;
  int state = threadIdx.x;
  cost[0][state] = state == 0 ? 0 : 1000;
  __syncthreads();
  for (int t = 0; t < BITS; ++t) {
    int bit = state & 1, a = state >> 1, b = a | STATES / 2;
    int costA = cost[t & 1][a] + __popc(symbolOf(a << 1 | bit) ^ mine[t]);
    int costB = cost[t & 1][b] + __popc(symbolOf(b << 1 | bit) ^ mine[t]);
    choice[t][state] = costB < costA;
    cost[~t & 1][state] = min(costA, costB);
    __syncthreads();
  }
  if (state != 0)
    return;
  int at = 0;
  for (int s = 1; s < STATES; ++s)
    if (cost[BITS & 1][s] < cost[BITS & 1][at])
      at = s;
  for (int t = BITS - 1; t >= 0; --t) {
    decoded[blockIdx.x * BITS + t] = at & 1;
    at = at >> 1 | (choice[t][at] ? STATES / 2 : 0);
  }
}

int main(int argc, char** argv) {
  int messages = argument(argc, argv, 16);
  Random random(181);
  std::vector<unsigned char> bits(messages * BITS), received(messages * BITS);
  for (int m = 0; m < messages; ++m) {
    unsigned window = 0;
    for (int t = 0; t < BITS; ++t) {
      bits[m * BITS + t] = t < BITS - 6 ? random.next() >> 20 & 1 : 0;
      window = (window << 1 | bits[m * BITS + t]) & 127;
      received[m * BITS + t] = (unsigned char)symbolOf(window);
    }
    received[m * BITS + 10 + random.next() % 10] ^= 1;
    received[m * BITS + 35 + random.next() % 10] ^= 2;
  }
  unsigned char* decoded = allocate<unsigned char>(messages * BITS);
  decodeMessages<<<messages, STATES>>>(upload(received), decoded);
  return verdict(download(decoded, messages * BITS) == bits);
}
