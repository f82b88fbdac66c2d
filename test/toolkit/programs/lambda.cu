// SPDX-License-Identifier: Apache-2.0
// A template whose kernel runs a lambda with captures, one for each kind of work.
// FLAGS: --extended-lambda
#include <cstdio>
#include <vector>

template <class Work> __global__ void forEach(int n, Work work) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    work(i);
}

template <class Work> void onAll(int n, Work work) {
  forEach<<<24, 128>>>(n, work);
}

long run(int n, float scale, int limit) {
  float* values = nullptr;
  int* steps = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&steps, n * sizeof(int));
  onAll(n, [=] __device__(int i) { values[i] = i % 7 == 0 ? scale * i : scale - i; });
  onAll(n, [=] __device__(int i) {
    int count = 0;
    for (unsigned at = i + 1; at != 1 && count < limit; ++count)
      at = at % 2 == 0 ? at / 2 : 3 * at + 1;
    steps[i] = count + (values[i] > 0 ? 1000 : 0);
  });
  std::vector<int> counted(n);
  cudaMemcpy(counted.data(), steps, n * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (const int count : counted)
    sum += count;
  return sum;
}

int main() {
  printf("%ld\n", run(10000, 1.5f, 300));
}
