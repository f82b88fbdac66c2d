// SPDX-License-Identifier: Apache-2.0
// Host code with OpenMP.
// FLAGS: -Xcompiler -fopenmp
#include "../check.h"

#include <omp.h>

__global__ void square(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * in[i];
}

int main() {
  const int count = 256;
  std::vector<int> numbers(count);
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < count; ++i)
    numbers[i] = i + omp_get_num_threads(); // 2 threads
  DeviceArray<int> in(numbers), out(count);
  square<<<count / 64, 64>>>(in, out);
  CHECK_LAUNCH();
  const std::vector<int> squares = out.read();
  long long sum = 0, want = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < count; ++i)
    sum += squares[i];
  for (int i = 0; i < count; ++i)
    want += (i + 2) * (i + 2);
  expectEqual("sum of squares", sum, want);
  return finish();
}
