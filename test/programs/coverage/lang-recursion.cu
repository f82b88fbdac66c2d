// SPDX-License-Identifier: Apache-2.0
// COVERS: recursion
// Ackermann's function, the towers of Hanoi and a recursive-descent calculator, one for each
// thread.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__host__ __device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ long long hanoi(int n, int from, int to, int via) {
  if (n == 0)
    return 0;
  return hanoi(n - 1, from, via, to) + (from * 3 + to) * n + hanoi(n - 1, via, to, from);
}

struct Parser {
  const char* p;
  __host__ __device__ int sum() {
    int v = product();
    while (*p == '+' || *p == '-')
      v = *p++ == '+' ? v + product() : v - product();
    return v;
  }
  __host__ __device__ int product() {
    int v = atom();
    while (*p == '*') {
      ++p;
      v *= atom();
    }
    return v;
  }
  __host__ __device__ int atom() {
    if (*p == '(') {
      ++p;
      int v = sum();
      ++p;
      return v;
    }
    if (*p == '-') {
      ++p;
      return -atom();
    }
    int v = 0;
    while (*p >= '0' && *p <= '9')
      v = v * 10 + (*p++ - '0');
    return v;
  }
};

#define TEXTS 4
struct Texts {
  char text[TEXTS][32];
};

__global__ void run(Texts t, int* ack, long long* moves, int* values) {
  int i = threadIdx.x;
  ack[i] = ackermann(2, i % 4);
  moves[i] = hanoi(i % 7, 0, 2, 1);
  Parser parser = {t.text[i % TEXTS]};
  values[i] = parser.sum();
}

int main(int argc, char** argv) {
  Texts t = {{"1+2*3", "(4-7)*(2+-5)", "2*(3+(4*5-6))*1", "10-(9-(8-(7-(6-5))))"}};
  if (argc > 1)
    strncpy(t.text[0], argv[1], 31);
  const int n = 64;
  int *ack, *values;
  long long* moves;
  if (cudaMallocManaged(&ack, n * 4) || cudaMallocManaged(&values, n * 4) ||
      cudaMallocManaged(&moves, n * 8) || cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024))
    return puts("FAIL"), 1;
  run<<<1, n>>>(t, ack, moves, values);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    Parser parser = {t.text[i % TEXTS]};
    bad += ack[i] != ackermann(2, i % 4) || moves[i] != hanoi(i % 7, 0, 2, 1) ||
           values[i] != parser.sum();
  }
  printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  cudaFree(ack), cudaFree(values), cudaFree(moves);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
