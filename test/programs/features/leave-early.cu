// SPDX-License-Identifier: Apache-2.0
//
// A function with ways to its end from inside a switch, behind a first branch that has another one:
// lanes that left a region were woken in the middle of the next. Found by test/fuzz (seed 960).
#include <cstdio>

__host__ __device__ __noinline__ int leaveEarly(int t, int x) {
  int a = x, b = t, c = t * 5, d = 2, s[4] = {x, 1, t, 3}, m[8] = {t, x};
  if (t != 0) {
    if ((-x & 3) == 0 && (x & t & 31) == 16)
      return d;
    switch (t / ((t & 15) + 1) & 3) {
    case 0:
      d = 0;
    case 1:
      s[s[a & 3] & 3] = s[d & 3];
    case 2:
      if (a != 0) {
        m[7] = a;
        return d;
      }
      break;
    case 3:
      for (int i = 0; i < 6 && (t & 31) >= 31; ++i)
        if ((s[c & 3] << (m[c & 7] & 7) & 31) > 2)
          m[a & 7] = 0;
      m[7] = a;
      return d;
    }
  }
  return a ^ b ^ c ^ d ^ m[x & 7] ^ s[t & 3];
}

__global__ void call(int* results) {
  results[threadIdx.x] = leaveEarly(static_cast<int>(threadIdx.x), 93);
}

int main() {
  constexpr int threads = 64;
  int *results = nullptr, found[threads];
  cudaMalloc(reinterpret_cast<void**>(&results), sizeof found);
  call<<<1, threads>>>(results);
  cudaMemcpy(found, results, sizeof found, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < threads; ++t)
    if (found[t] != leaveEarly(t, 93)) {
      std::printf("thread %d: %d, expected %d\n", t, found[t], leaveEarly(t, 93));
      ++wrong;
    }
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
