#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a CUDA program with many kernels, each launched once.

usage: program.py KERNELS

The program prints the time of day, in seconds, when its first kernel has run.
"""

import sys

KERNEL = """
__global__ void k{0}(int* out, int n) {{
  __shared__ int tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i * {1} + {0};
  for (int j = 0; j < n; ++j)
    if (x % 2 == 0) x = x / 2 + {0}; else x = 3 * x + 1;
  tile[threadIdx.x] = x;
  __syncthreads();
  out[i] += tile[63 - threadIdx.x];
}}"""

MAIN = """
int main() {{
  int* out;
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(out, 0, 256 * sizeof(int));
  k0<<<4, 64>>>(out, 20);
  cudaDeviceSynchronize();
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("%.6f\\n", now.tv_sec + 1e-9 * now.tv_nsec);
{0}
  return cudaDeviceSynchronize();
}}"""


def main():
    count = int(sys.argv[1])
    print("#include <cstdio>\n#include <ctime>")
    for number in range(count):
        print(KERNEL.format(number, number + 3))
    print(MAIN.format("\n".join(f"  k{number}<<<4, 64>>>(out, 20);" for number in range(1, count))))


main()
