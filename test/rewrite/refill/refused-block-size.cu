// RUN: %refused fix %s --only refill --line 11 --block 100,1,1 --unproven > %t.size
// RUN: FileCheck-19 %s --check-prefix=SIZE < %t.size
// RUN: %refused fix %s --only refill --line 11 --unproven > %t.unknown
// RUN: FileCheck-19 %s --check-prefix=UNKNOWN < %t.unknown
// RUN: %refused fix %s --only refill --line 11 > %t.few
// RUN: FileCheck-19 %s --check-prefix=FEW < %t.few
// SPDX-License-Identifier: Apache-2.0
__global__ void few(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i], k = 0;
  while (x > 5) {
    x = x * x % (x - 3) + in[x % 2560] % 9;
    if (++k > 300)
      break;
  }
  out[i] = k;
}

int main() {
  constexpr int blocks = 40, threads = 64;
  unsigned *in, *out;
  cudaMallocManaged(&in, blocks * threads * sizeof(unsigned));
  cudaMallocManaged(&out, blocks * threads * sizeof(unsigned));
  for (int i = 0; i < blocks * threads; ++i)
    in[i] = i * 2654435761u >> 9;
  few<<<blocks, threads>>>(in, out);
  return cudaDeviceSynchronize();
}

// SIZE: refill refused: blocks of 100 threads are no whole number of warps, or more than 1024 [block-size]
// UNKNOWN: refill refused: the launches have blocks of different or unknown sizes [block-size-unknown]
// In a search, where a grid is known: refill refused: [too-few-blocks]
// FEW: refused-block-size.cu:11  refill  -  refuse [too-few-blocks]
// FEW-NEXT: 40 blocks in groups would be less than two for each of 132 multiprocessors
