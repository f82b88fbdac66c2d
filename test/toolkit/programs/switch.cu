// SPDX-License-Identifier: Apache-2.0
// A small machine that runs a program of its own: a switch of many cases, which nvcc makes a tree
// of comparisons, in a loop that one case ends.
#include <cstdio>
#include <vector>

enum Operation { Add, Subtract, Multiply, Shift, Mix, Skip, Turn, Square, Stop };

__global__ void interpret(const int* code, int length, unsigned* results) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = thread * 2654435761u, other = thread;
  bool runs = true;
  for (int at = thread % 7; runs && at < length; ++at) {
    const int word = code[at];
    const unsigned operand = word >> 4;
    switch (word & 15) {
    case Add:
      value += operand + other;
      break;
    case Subtract:
      value -= operand ^ other;
      break;
    case Multiply:
      value *= operand | 1;
      break;
    case Shift:
      value = value << (operand & 15) | value >> 17;
      other ^= value;
      break;
    case Mix:
      other = other * 31 + value;
      break;
    case Skip:
      at += value & 3;
      break;
    case Turn: {
      const unsigned before = value;
      value = other;
      other = before;
      break;
    }
    case Square:
      value = value * value + operand;
      other += 3;
      break;
    case Stop:
      runs = (value & 15) != 0;
      break;
    default:
      value ^= operand;
      break;
    }
  }
  results[thread] = value + other;
}

int main() {
  const int length = 64, blocks = 32, threads = 128;
  std::vector<int> code(length);
  unsigned state = 11;
  for (int& word : code) {
    state = state * 1664525u + 1013904223u;
    word = int(state >> 24) % 10 | int(state >> 12 & 255) << 4;
  }
  int* program = nullptr;
  unsigned* results = nullptr;
  cudaMalloc(&program, length * sizeof(int));
  cudaMalloc(&results, blocks * threads * sizeof(unsigned));
  cudaMemcpy(program, code.data(), length * sizeof(int), cudaMemcpyHostToDevice);
  interpret<<<blocks, threads>>>(program, length, results);
  std::vector<unsigned> values(blocks * threads);
  cudaMemcpy(values.data(), results, values.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (const unsigned value : values)
    sum = sum * 31 + value;
  printf("%08x\n", sum);
}
