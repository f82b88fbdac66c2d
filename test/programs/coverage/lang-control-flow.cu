// SPDX-License-Identifier: Apache-2.0
// COVERS: data-dependent while, switch, 64-bit integers, static shared, __syncthreads
// A byte-code machine: each thread runs its own program by a switch in a loop whose length depends
// on data.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum Op : unsigned char { PUSH, ADD, MUL, DUP, SWAP, DROP, JNZ, DEC, MOD, HALT };

template <typename Code>
__host__ __device__ long long interpret(const Code* code, int start, int argument, int* stepsOut) {
  long long stack[16];
  int sp = 0, pc = start, steps = 0;
  stack[sp++] = argument;
  while (steps < 5000) {
    ++steps;
    switch (code[pc++]) {
    case PUSH:
      stack[sp++] = (signed char)code[pc++];
      continue;
    case ADD:
      --sp;
      stack[sp - 1] += stack[sp];
      break;
    case MUL:
      --sp;
      stack[sp - 1] *= stack[sp];
      break;
    case DUP:
      stack[sp] = stack[sp - 1];
      ++sp;
      break;
    case SWAP: {
      long long t = stack[sp - 1];
      stack[sp - 1] = stack[sp - 2];
      stack[sp - 2] = t;
      break;
    }
    case DROP:
      --sp;
      break;
    case JNZ: {
      int to = code[pc++];
      if (stack[sp - 1] != 0)
        pc = start + to;
      break;
    }
    case DEC:
      --stack[sp - 1];
      break;
    case MOD:
      stack[sp - 1] %= 1000000007LL;
      break;
    default:
      *stepsOut = steps;
      return sp ? stack[sp - 1] : 0;
    }
  }
  *stepsOut = -1;
  return -1;
}

__constant__ unsigned char programs[64];

__global__ void run(int n, long long* results, int* steps, int* longest) {
  __shared__ int most[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  most[threadIdx.x] = 0;
  if (i < n) {
    results[i] = interpret(programs, i % 3 == 0 ? 0 : 32, i % 25 + 1, &steps[i]);
    most[threadIdx.x] = steps[i];
  }
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s && most[threadIdx.x + s] > most[threadIdx.x])
      most[threadIdx.x] = most[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicMax(longest, most[0]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500;
  // acc = 1; while (n) { acc = acc * 3 + 7 (mod p); --n }   and   n * n + n
  unsigned char code[64] = {PUSH, 1,   SWAP, SWAP, PUSH, 3, MUL,  PUSH, 7,
                            ADD,  MOD, SWAP, DEC,  JNZ,  3, DROP, HALT};
  const unsigned char second[] = {DUP, DUP, MUL, ADD, HALT};
  for (int i = 0; i < 5; ++i)
    code[32 + i] = second[i];
  long long* results;
  int *steps, *longest, most = 0, bad = 0;
  if (cudaMallocManaged(&results, n * 8) || cudaMallocManaged(&steps, n * 4) ||
      cudaMallocManaged(&longest, 4) || cudaMemcpyToSymbol(programs, code, sizeof code))
    return puts("FAIL"), 1;
  *longest = 0;
  run<<<(n + 127) / 128, 128>>>(n, results, steps, longest);
  cudaError_t e = cudaDeviceSynchronize();
  bad += e != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    int s = 0;
    long long want = interpret(code, i % 3 == 0 ? 0 : 32, i % 25 + 1, &s);
    most = s > most ? s : most;
    bad += results[i] != want || steps[i] != s || s < 0;
  }
  bad += *longest != most;
  printf("%s, longest %d (%d), %d wrong\n", cudaGetErrorString(e), *longest, most, bad);
  cudaFree(results), cudaFree(steps), cudaFree(longest);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
