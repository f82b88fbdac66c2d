// SPDX-License-Identifier: Apache-2.0
// Divisions whose numerators are zero for none, one in 64 or one in 3: those lanes leave for the
// slow path, a function of its own in the machine code. A template, for float and for double.
#include <cstdio>
#include <vector>

template <class T> __global__ void ratio(const T* above, const T* below, T* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += above[(i + k * 37) % n] / below[(i + k * 11) % n];
  sums[i] = sum;
}

template <class T> T* onDevice(const std::vector<T>& values) {
  T* made = nullptr;
  cudaMalloc(&made, values.size() * sizeof(T));
  cudaMemcpy(made, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return made;
}

template <class T> void run(const char* type, int zeros) {
  const int n = 1 << 16;
  std::vector<T> above(n), below(n), sums(n);
  for (int i = 0; i < n; ++i) {
    above[i] = zeros != 0 && i * 7 % zeros == 0 ? T(0) : T(1 + i % 97);
    below[i] = T(3 + i % 89);
  }
  T* result = onDevice(sums);
  ratio<T><<<n / 256, 256>>>(onDevice(above), onDevice(below), result, n);
  cudaMemcpy(sums.data(), result, n * sizeof(T), cudaMemcpyDeviceToHost);
  double total = 0;
  for (const T sum : sums)
    total += sum;
  printf("%s %d %.9g\n", type, zeros, total);
}

int main() {
  for (const int zeros : {0, 64, 3})
    run<float>("float", zeros);
  for (const int zeros : {0, 64, 3})
    run<double>("double", zeros);
}
