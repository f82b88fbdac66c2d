// SPDX-License-Identifier: Apache-2.0
// Registers updated by one of two programs that hold the same steps in a different order.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void run(const unsigned char* program, unsigned* registers, const unsigned* operand,
                    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r = registers[i];
  unsigned k = operand[i] | 1u;
  if (program[i] & 1) {
    r *= k;
    r ^= r >> 11;
    for (int j = 0; j < 12; ++j) r = r * 69069u + k;
    r += k;
  } else {
    r += k;
    for (int j = 0; j < 12; ++j) r = r * 69069u + k;
    r ^= r >> 11;
    r *= k;
  }
  registers[i] = r;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<unsigned char> program(n);
  std::vector<unsigned> registers(n), operand(n);
  unsigned s = 1977;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    registers[i] = s;
    operand[i] = s >> 7;
    program[i] = (s >> 19) & 7;
  }
  unsigned char* dProgram;
  unsigned *dRegisters, *dOperand;
  cudaMalloc(&dProgram, n);
  cudaMalloc(&dRegisters, n * sizeof(unsigned));
  cudaMalloc(&dOperand, n * sizeof(unsigned));
  cudaMemcpy(dProgram, program.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(dRegisters, registers.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(dOperand, operand.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  run<<<(n + 255) / 256, 256>>>(dProgram, dRegisters, dOperand, n);
  cudaMemcpy(registers.data(), dRegisters, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long check = 0;
  for (unsigned r : registers) check = check * 5 + r;
  std::printf("check %016llx\n", check);
  cudaFree(dProgram);
  cudaFree(dRegisters);
  cudaFree(dOperand);
  return 0;
}
