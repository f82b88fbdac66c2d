// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: DeviceRadixSort
// Keys, pairs with a DoubleBuffer, floats downwards, and some of the bits only. Arguments: n.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <cub/device/device_radix_sort.cuh>

#define CK(x)                                                                                      \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e) {                                                                                       \
      printf("line %d: %s\nFAIL\n", __LINE__, cudaGetErrorString(e));                              \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3000, bad = 0;
  std::vector<unsigned> keys(n), sorted(n);
  std::vector<int> order(n), values(n);
  std::vector<float> floats(n), floatsOut(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = ((unsigned)i * 2246822519u) >> 9 & 0xfff0fu;
    order[i] = i;
    floats[i] = (float)((int)(keys[i] % 2001) - 1000) / 8;
  }
  unsigned *k0, *k1;
  int *v0, *v1;
  CK(cudaMalloc(&k0, n * 4));
  CK(cudaMalloc(&k1, n * 4));
  CK(cudaMalloc(&v0, n * 4));
  CK(cudaMalloc(&v1, n * 4));
  CK(cudaMemcpy(k0, keys.data(), n * 4, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(v0, order.data(), n * 4, cudaMemcpyHostToDevice));
  cub::DoubleBuffer<unsigned> dk(k0, k1);
  cub::DoubleBuffer<int> dv(v0, v1);
  void* temp = nullptr;
  size_t bytes = 0;
  CK(cub::DeviceRadixSort::SortPairs(temp, bytes, dk, dv, n, 0, 20));
  CK(cudaMalloc(&temp, bytes));
  CK(cub::DeviceRadixSort::SortPairs(temp, bytes, dk, dv, n, 0, 20));
  CK(cudaMemcpy(sorted.data(), dk.Current(), n * 4, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(values.data(), dv.Current(), n * 4, cudaMemcpyDeviceToHost));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  for (int i = 0; i < n; ++i)
    bad += values[i] != order[i] || sorted[i] != keys[order[i]];
  CK(cudaFree(temp));
  temp = nullptr;
  float *fin = (float*)k0, *fout = (float*)k1;
  CK(cudaMemcpy(fin, floats.data(), n * 4, cudaMemcpyHostToDevice));
  CK(cub::DeviceRadixSort::SortKeysDescending(temp, bytes, fin, fout, n));
  CK(cudaMalloc(&temp, bytes));
  CK(cub::DeviceRadixSort::SortKeysDescending(temp, bytes, fin, fout, n));
  CK(cudaMemcpy(floatsOut.data(), fout, n * 4, cudaMemcpyDeviceToHost));
  std::sort(floats.begin(), floats.end(), std::greater<float>());
  bad += floats != floatsOut;
  CK(cudaFree(temp));
  cudaFree(k0), cudaFree(k1), cudaFree(v0), cudaFree(v1);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
