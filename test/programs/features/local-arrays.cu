// SPDX-License-Identifier: Apache-2.0
// Arrays of a thread, indexed by values known at run time only: a stack, a sieve, a small matrix,
// bytes, pointers into them.
#include "../check.h"

__host__ __device__ __noinline__ void fillRow(int* row, int n, int start) {
  for (int i = 0; i < n; ++i)
    row[i] = start + i * i;
}

__host__ __device__ int work(int i) {
  int stack[24], top = 0;
  for (int x = i; x > 0; x /= 2)
    stack[top++] = x % 7;
  int sum = 0;
  while (top > 0)
    sum = sum * 3 + stack[--top];

  bool sieve[64] = {};
  for (int p = 2; p < 64; ++p)
    if (!sieve[p]) {
      sum += p == i % 64 ? 10000 : 0;
      for (int q = p * p; q < 64; q += p)
        sieve[q] = true;
    }

  int matrix[6][5];
  for (int row = 0; row < 6; ++row)
    fillRow(matrix[row], 5, row * i);
  sum += matrix[i % 6][i % 5] * 7 + *(&matrix[0][0] + i % 30);

  char word[12] = "heddle-loom";
  char* at = word + i % 6;
  *at = char('A' + i % 26);
  for (char letter : word)
    sum += letter;
  double wide[3] = {0.5, 1.5, 2.5};
  wide[i % 3] *= i;
  return sum + int(wide[0] + wide[1] + wide[2]);
}

__global__ void run(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = work(i);
}

int main() {
  DeviceArray<int> out(192);
  run<<<2, 96>>>(out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return work(int(i)); });
  return finish();
}
