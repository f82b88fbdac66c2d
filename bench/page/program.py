#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a CUDA program with many kernels and many lines.

usage: program.py KERNELS LINES
"""

import sys

# Twenty lines, two branches.
PIECE = """
  /* Step {0}
   *
   * Odd values go up, even ones come down: value * 3 + {0} against value / 2. Real programs have comments, too, and
   * the page has to colour them as it colours code, over all of their lines.
   *
   *   for (int j = 0; j < 4; ++j)   // is no loop in here
   *     sum += value ^ j;
   */
  const unsigned before_{0} = value;

  if (value % {1} == 1) {{
    value = value * 3 + {0};
  }} else {{
    value /= 2; // and lose a bit
  }}

  for (unsigned j = 0; j < before_{0} % 4; ++j)
    sum += value ^ j;
"""


def kernel(number, pieces):
    body = "".join(PIECE.format(piece, 2 + piece % 3) for piece in range(pieces))
    return (f"__global__ void step_{number}(unsigned* out) {{\n  unsigned value = {number + 7}u * (blockIdx.x * blockDim.x + threadIdx.x), sum = 0;\n"
            f"{body}  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n}}\n")


def main():
    kernels, lines = int(sys.argv[1]), int(sys.argv[2])
    launches = "".join(f"  step_{number}<<<8, 128>>>(out);\n" for number in range(kernels))
    parts = [kernel(number, lines // kernels // 20 + 1) for number in range(kernels)]
    parts.append(f"int main() {{\n  unsigned* out;\n  cudaMalloc(&out, 1024 * sizeof(unsigned));\n{launches}  return cudaDeviceSynchronize();\n}}")
    print("\n".join(parts))


main()
